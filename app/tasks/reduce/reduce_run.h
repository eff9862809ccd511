#pragma once

#include "app/tasks/reduce/candidate.h"
#include "app/tasks/reduce/reduced_operators.h"
#include "app/tasks/run/watch.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// What to make smaller, and where the result goes.
struct ReduceSettings {
    std::filesystem::path model;
    ModelOptions options;
    std::string failure;           ///< --fails
    std::string than{};            ///< of --fails slower: parseOtherSide()
    std::filesystem::path folder;  ///< for the result
    bool resume = false;           ///< go on with what is in the folder
    double candidateSeconds = 60;  ///< that a candidate's process may take; 0: no limit
    std::string_view version;      ///< of this program, for the page
};

/// What is left.
struct Reduction {
    std::string method;
    FailureKind kind = FailureKind::Gap;
    PartChoice part;
    PartSizes sizesBefore{};  ///< of the inputs of the part, and what they are; empty: all is as it was
    PartSizes sizes{};
    SizeChanges constants{};   ///< of its constants
    std::optional<Fill> fill;  ///< what all floating inputs of the part are; nothing: what they were
    std::vector<ReducedOperator> operators;
    std::size_t instructionsBefore = 0;
    std::size_t nodesBefore = 0;  ///< operators of the delegates that have some in `part.nodes`
    CandidateReport report;       ///< of the smallest
    std::size_t candidates = 0;   ///< processes
    double seconds = 0;
    std::string file;          ///< name of the part in the folder
    bool hasRecord = false;    ///< part.etrecord lies beside it
    std::string torchVersion;  ///< that the record's graph was exported with; empty: not known
    std::uint64_t bytesBefore = 0;
    std::uint64_t bytes = 0;
};

/// Finds a small part of the program that fails in the same way, and leaves it in the folder with a page
/// that says all about it. Where InterruptionGuard asks to end, that is the smallest so far. Errors: those of
/// the files; InvalidArgument (--fails, a folder with a result); Mismatch (the whole does not fail in this
/// way: says what it does); Cancelled (before it was known that the whole fails).
[[nodiscard]] core::Result<Reduction> reduceProgram(const ReduceSettings& settings, Watch& watch);

}  // namespace et::app
