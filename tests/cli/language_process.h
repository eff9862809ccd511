#pragma once

#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <string>

namespace et::test {

namespace dom = simdjson::dom;

/// Runs the language model commands as processes.
class LanguageProcess : public testing::Test {
  protected:
    Outcome run(const std::string& command) const {
        return runShell(command, {.folder = scratch.path(), .environment = {}, .terminalColumns = {}});
    }
    dom::element json(const std::string& command, int code = 0) {
        const Outcome outcome = run(command);
        EXPECT_EQ(outcome.code, code) << command << "\n" << outcome.out << outcome.err;
        text = simdjson::padded_string(outcome.out);
        return parser.parse(text);
    }
    void makeSample() { ASSERT_EQ(run("et-inspect sample llama").code, 0); }

    ScratchFolder scratch;
    dom::parser parser;
    simdjson::padded_string text;
};

}  // namespace et::test
