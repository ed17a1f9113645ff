// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/operand_words.hpp"

#include "sim/cli/catalogue.hpp"

#include <cctype>
#include <string_view>

namespace idlesim {
namespace {

/// The words in lower case: "show|diff|import FILE ..." has three.
std::vector<std::string> lower_words(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    bool is_lower = true;
    const auto finish = [&] {
        if (!word.empty() && is_lower) {
            words.push_back(word);
        }
        word.clear();
        is_lower = true;
    };
    for (const char c : text) {
        if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
            is_lower = is_lower && std::islower(static_cast<unsigned char>(c)) != 0;
            word += c;
        } else if (c == '.' && !word.empty()) {
            is_lower = false;  // a file name such as SWEEP.yaml
        } else {
            finish();
        }
    }
    finish();
    return words;
}

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

}  // namespace

Completable operands_of(const Verb& verb) {
    Completable result;
    if (verb.operands.empty()) {
        return result;
    }
    result.words = lower_words(verb.operands);
    result.words.insert(result.words.end(), verb.words.begin(), verb.words.end());
    if (has(verb.operands, "NAME")) {
        for (const CatalogueEntry& entry : catalogue()) {
            result.words.push_back(entry.name);
        }
        result.list_section = "platforms";
    } else if (has(verb.operands, "EXPERIMENT")) {
        result.list_section = "experiments";
    } else if (has(verb.operands, "SWEEP")) {
        result.list_section = "sweeps";
    } else if (has(verb.operands, "CALIBRATION")) {
        result.list_section = "calibrations";
    }
    for (const char* file : {"yaml", "FILE", "csv", "TRACE", "EXPERIMENT"}) {
        result.files = result.files || has(verb.operands, file);
    }
    result.folders = has(verb.operands, "DIR");
    return result;
}

Completable values_of(const OptionHelp& option) {
    Completable result;
    const std::string_view name = option.name;
    const std::string_view value = option.value == nullptr ? "" : option.value;
    result.words = lower_words(value);
    result.files = value == "FILE";
    result.folders = value == "DIR";
    if (name == "platform") {
        result.list_section = "platforms";
    } else if (name == "governor") {
        result.list_section = "governors";
    }
    return result;
}

}  // namespace idlesim
