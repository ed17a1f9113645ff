// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace idlesim {

/// A simulation that cannot go on for a reason outside the program's own invariants.
/// what() is a sentence for the user.
class SimulationError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A time beyond the range that the engine covers (kLongestRun).
class RangeError : public SimulationError {
public:
    using SimulationError::SimulationError;
};

/// Too many events without time passing.
class LivelockError : public SimulationError {
public:
    using SimulationError::SimulationError;
};

/// A distribution, frequency or probability whose parameters make no sense.
class ParameterError : public SimulationError {
public:
    using SimulationError::SimulationError;
};

}  // namespace idlesim
