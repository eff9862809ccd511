#pragma once

#include "app/tasks/surgery/twin_run.h"
#include "inspector/memory/replan.h"
#include "runtime/builder/program_draft.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// What to change of a program, and where it goes.
struct ReplanSettings {
    std::filesystem::path model;              ///< program or bundled program
    std::vector<std::filesystem::path> data;  ///< tensor data files of the program
    std::filesystem::path output;             ///< of the same kind as `model`; empty: nothing is written
    std::filesystem::path weights{};          ///< where constants and named data go; empty: they stay
    bool takeIn = false;                      ///< put what is in `data` into the program
    bool strip = false;                  ///< drop names that nothing looks up and values that nothing uses
    std::vector<std::string> methods{};  ///< to keep; empty: all
    inspector::ReplanOptions plan{};
    bool check = true;  ///< run the original and the result, and refuse a result that differs
};

/// One change, for people and programs: {"strip", "names of tensors", 12, 340}.
struct ReplanChange {
    std::string_view action;
    std::string_view what;
    builder::DraftChange change;
};

struct ReplanResult {
    std::shared_ptr<const program::Program> program;  ///< the original; names below are borrowed from it
    std::vector<inspector::MethodReplan> plans;
    std::vector<ReplanChange> changes;
    std::vector<TwinRun> runs;  ///< empty: not checked by running
    std::uint64_t fileBefore = 0;
    std::uint64_t fileAfter = 0;
    std::uint64_t weightsAfter = 0;   ///< bytes of the file of weights
    builder::DraftChange duplicates;  ///< constants and named data that were there more than once
    std::vector<std::string> warnings;
};

/// Writes the changed program, once it has been read back and run beside the original. Errors: those of the
/// files; NotFound (no such method, no data of that name); Mismatch (the changed program gives other outputs:
/// nothing is written); Cancelled (InterruptionGuard: nothing is written); Io.
[[nodiscard]] core::Result<ReplanResult> replanProgram(const ReplanSettings& settings);

}  // namespace et::app
