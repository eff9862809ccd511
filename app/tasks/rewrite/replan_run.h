#pragma once

#include "app/tasks/rewrite/shadow_run.h"
#include "inspector/memory/replan.h"
#include "runtime/builder/program_draft.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

class OptionList;

/// Changes to a program, and the output files.
struct ReplanSettings {
    std::filesystem::path model;              ///< program or bundled program
    std::vector<std::filesystem::path> data;  ///< tensor data files of the program
    std::filesystem::path output;             ///< of the same kind as `model`; empty: nothing is written
    std::filesystem::path weights{};          ///< file for constants and named data; empty: they stay
    bool takeIn = false;                      ///< move the tensors of `data` into the program
    bool strip = false;                       ///< drop unreferenced names and unused values
    std::vector<std::string> methods{};       ///< methods to keep; empty: all
    inspector::ReplanOptions plan{};
    std::optional<double> seconds{};  ///< instead of `plan.effort`: for each arena
    bool check = true;                ///< run the original and the result, and reject a result that differs
    ProgressReporter* progress = nullptr;  ///< null: none
};

/// Adds all options except those of the output.
void addReplanOptions(OptionList& options, ReplanSettings& settings);

/// One change, for text and JSON output: {"strip", "names of tensors", 12, 340}.
struct ReplanChange {
    std::string_view action;
    std::string_view what;
    builder::DraftChange change;
};

struct ReplanResult {
    std::shared_ptr<const program::Program> program;  ///< the original; names below borrow from it
    std::vector<inspector::MethodReplan> plans;
    std::vector<ReplanChange> changes;
    std::vector<ShadowRunResult> runs;  ///< empty: not run
    std::uint64_t fileBefore = 0;
    std::uint64_t fileAfter = 0;
    std::uint64_t weightsAfter = 0;   ///< bytes of the weights file
    builder::DraftChange duplicates;  ///< constants and named data stored more than once
    std::vector<std::string> warnings;
};

/// Writes the changed program after reading it back and comparing its outputs with the original's. Errors:
/// those of the files; NotFound (no such method, no data of that name); Mismatch (the outputs differ: nothing
/// is written); Cancelled (InterruptionGuard: nothing is written); Io.
[[nodiscard]] core::Result<ReplanResult> replanProgram(const ReplanSettings& settings);

}  // namespace et::tasks
