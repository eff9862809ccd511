#pragma once

#include "etrecord/record.h"
#include "inspector/explain/log_facts.h"
#include "runtime/program/program.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Whether external weights belong to a program.
struct ExplainedData {
    std::string verdict;  ///< inspector::name(DataVerdict)
    std::string text;     ///< one sentence
};

/// A program that a log may be about.
struct ExplainedProgram {
    const program::Program* program = nullptr;
    std::string name{};                        ///< of its file
    const etrecord::Record* record = nullptr;  ///< null: none
    std::optional<ExplainedData> data{};       ///< nothing: none were given
    /// Loads the delegates here and returns the problems, one line each. Slow; called if a cause of the
    /// failure depends on them. May be empty.
    std::function<std::vector<std::string>()> delegateErrors{};
};

/// Adds what the program contains that concerns the failure, as facts named "program.…": the operator and its
/// instructions, the instruction with its arguments and Python line, the input, memory pools, delegates.
/// `concernsDelegates`: also errors of delegates.
void addProgramFacts(const ExplainedProgram& program, Facts& facts, bool concernsDelegates);
/// Names of these facts.
[[nodiscard]] std::span<const std::string_view> programFacts();

}  // namespace et::inspector
