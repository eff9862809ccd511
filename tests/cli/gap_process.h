#pragma once

#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Runs et-inspect gap as a process and parses its JSON. Accessors throw simdjson_error on unexpected content.
namespace et::test {

namespace dom = simdjson::dom;

/// Parsed output of et-inspect.
class Gap {
  public:
    explicit Gap(const std::string& arguments) {
        const ScratchFolder scratch;
        outcome = runShell("et-inspect gap --format json " + arguments,
                           {.folder = scratch.path(), .environment = {}, .terminalColumns = {}});
        text = simdjson::padded_string(outcome.out);
        EXPECT_FALSE(outcome.out.empty()) << arguments << "\n" << outcome.err;
        isThere = parser.parse(text).get(root) == simdjson::SUCCESS;
    }

    [[nodiscard]] bool answered() const { return isThere; }
    [[nodiscard]] dom::array rows() const { return root["rows"].get_array().value(); }
    [[nodiscard]] dom::element at(std::string_view key) const { return root[key].value(); }
    [[nodiscard]] const Outcome& process() const { return outcome; }

    /// Debug handles of the first divergence; empty if there is none.
    [[nodiscard]] std::vector<std::int64_t> divergence() const {
        std::vector<std::int64_t> handles;
        dom::array list;
        if (root["first_divergence"]["debug_handles"].get(list) == simdjson::SUCCESS) {
            for (const std::int64_t each : list) {
                handles.push_back(each);
            }
        }
        return handles;
    }

  private:
    Outcome outcome;
    simdjson::padded_string text;
    dom::parser parser;
    dom::element root;
    bool isThere = false;
};

/// Path of a file of the shared programs.
inline std::string programs(const std::string& name) {
    return (sharedData() / "programs" / name).string();
}

inline std::string textOf(dom::element entry, std::string_view key) {
    return std::string(entry[key].get_string().value());
}

inline std::vector<std::string> texts(dom::element list) {
    std::vector<std::string> all;
    for (const std::string_view each : dom::array(list)) {
        all.emplace_back(each);
    }
    return all;
}

inline std::vector<std::int64_t> numbers(dom::element list) {
    std::vector<std::int64_t> all;
    for (const std::int64_t each : dom::array(list)) {
        all.push_back(each);
    }
    return all;
}

}  // namespace et::test
