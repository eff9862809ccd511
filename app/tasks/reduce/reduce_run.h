#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/reduce/candidate.h"
#include "app/tasks/rewrite/part_maker.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

class OptionList;

/// Input, failure and output folder of a reduction.
struct ReduceSettings {
    std::filesystem::path model;
    ModelOptions options;
    std::string failure;           ///< --fails
    std::string than{};            ///< for --fails slower: parseOtherSide()
    std::filesystem::path folder;  ///< output folder
    bool resume = false;           ///< resume from the state in the folder
    double candidateSeconds = 60;  ///< time limit of a candidate's process; 0: no limit
    std::string_view version;      ///< of this program, for the report page
};

/// An instruction or operator that remains.
struct ReducedOperator {
    std::size_t instruction = 0;
    std::optional<std::size_t> node;  ///< of the delegate that the instruction calls
    std::string name;                 ///< "aten::convolution.out", "XNNConv2d"
    std::vector<std::string> edgeNodes;
    std::string source;  ///< "model.py:12 in forward", the innermost frame outside PyTorch; empty: unknown
};

/// Lists the instructions and operators of a part of a method. `record`: an ETRecord with the source
/// locations; may be empty. Errors: those of the record and of the delegate's payload.
[[nodiscard]] core::Result<std::vector<ReducedOperator>> operatorsOf(const program::Method& method,
                                                                     const PartChoice& part,
                                                                     const std::filesystem::path& record);

/// Adds all options except those of the output format.
void addReduceOptions(OptionList& options, ReduceSettings& settings);

/// Result of a reduction.
struct Reduction {
    std::string method;
    FailureKind kind = FailureKind::Gap;
    PartChoice part;
    PartSizes sizesBefore{};  ///< input sizes of the part before and now; empty: unchanged
    PartSizes sizes{};
    SizeChanges constants{};   ///< of its constants
    std::optional<Fill> fill;  ///< value of all floating-point inputs of the part; nothing: unchanged
    std::vector<ReducedOperator> operators;
    std::size_t instructionsBefore = 0;
    std::size_t nodesBefore = 0;  ///< operators of the delegates that `part.nodes` selects from
    CandidateReport report;       ///< of the smallest candidate
    std::size_t candidates = 0;   ///< processes
    double seconds = 0;
    std::string file;          ///< file name of the part in the folder
    bool hasRecord = false;    ///< part.etrecord is in the same folder
    std::string torchVersion;  ///< version that exported the record's graph; empty: unknown
    std::uint64_t bytesBefore = 0;
    std::uint64_t bytes = 0;
};

/// Finds a small part of the program that fails in the same way, and writes it to the folder with a page that
/// describes it. If InterruptionGuard requests an end, the result is the smallest part so far. Errors: those
/// of the files; InvalidArgument (--fails, a folder with a result); Mismatch (the whole does not fail in this
/// way; the message reports what it does); Cancelled (before the failure of the whole was confirmed).
[[nodiscard]] core::Result<Reduction> reduceProgram(const ReduceSettings& settings, ProgressReporter& watch);

}  // namespace et::tasks
