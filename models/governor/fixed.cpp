// SPDX-License-Identifier: Apache-2.0
#include "models/idle_table/idle_table.hpp"
#include "sim/registry/registry.hpp"

#include <charconv>
#include <string>

namespace idlesim {
namespace {

/// Always the same state, whatever the latency limit and the disable flags say. The tick goes on
/// while it polls and may be stopped otherwise.
class Fixed final : public Governor {
public:
    struct Params {
        std::string state = "0";
    };

    explicit Fixed(Params params) : params_{std::move(params)} {}

    void enable(const std::vector<IdleState>& states,
                GovernorEnvironment& /*environment*/) override {
        table_ = IdleTable{states};
        state_ = find();
    }

    [[nodiscard]] IdleDecision select(GovernorEnvironment& environment,
                                      Explanation* explanation) override {
        const Why why{explanation};
        why.say("this governor knows {} alone and predicts nothing", table_.name(state_));
        explain_states(why,
                       table_,
                       {state_,
                        environment.disabled_states(),
                        environment.latency_limit(),
                        kEndlessSleep,
                        "this governor does not know it",
                        "this governor does not know it"});
        return {state_, !table_.polls(state_)};
    }

    void reflect(int /*state*/, GovernorEnvironment& /*environment*/) override {}

private:
    [[nodiscard]] int find() const {
        std::vector<std::string> names;
        for (int i = 0; i < table_.size(); ++i) {
            if (table_.name(i) == params_.state) {
                return i;
            }
            names.push_back(table_.name(i));
        }
        int index = -1;
        const char* end = params_.state.data() + params_.state.size();
        const auto parsed = std::from_chars(params_.state.data(), end, index);
        if (parsed.ec == std::errc{} && parsed.ptr == end && index >= 0 && index < table_.size()) {
            return index;
        }
        throw GovernorError{fmt::format("governor fixed: no state '{}'; the table has {}",
                                        params_.state,
                                        fmt::join(names, ", "))};
    }

    Params params_;
    IdleTable table_;
    int state_ = 0;
};

const Register<Governor, Fixed> kFixed{
    "fixed",
    "always the same state",
    {config::field("state", &Fixed::Params::state, "name or index of the state").required()}};

}  // namespace
}  // namespace idlesim
