#pragma once

#include "backends/lowering/lower.h"
#include "backends/xnnpack/lower/partitioner.h"
#include "etrecord/record.h"
#include "runtime/core/file_content.h"
#include "runtime/core/result.h"
#include "runtime/program/program.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

class OptionList;
class ProgressReporter;

/// Backend for the nodes of a graph.
enum class LowerBackend : std::uint8_t {
    Xnnpack,
    None  ///< all nodes become kernel calls
};

struct LowerSettings {
    std::filesystem::path record;          ///< ETRecord with weights, or a program (.pte, .bpte)
    std::filesystem::path output;          ///< program (.pte); empty: not written
    std::filesystem::path recordOutput{};  ///< record of that program; empty: not written
    LowerBackend backend = LowerBackend::Xnnpack;
    /// ETRecord only: program whose constant methods are kept; empty: that with the record's name next to it.
    std::filesystem::path constants{};
    std::vector<std::string> except{};      ///< nodes, operators or modules to keep out of delegates
    std::vector<std::string> only{};        ///< nodes, operators or modules that may be delegated; empty: all
    std::filesystem::path programRecord{};  ///< programs only: its ETRecord, for lines, modules and debug
                                            ///< handles
    std::vector<std::filesystem::path>
        data{};  ///< programs only: its tensor data files; empty: those next to it
    backends::xnnpack::PartitionOptions partition{};
    bool dynamicProducts = false;  ///< see backends::native::QuantizedConstants; packages only
    bool inPieces = false;  ///< `LowerResult::program` is null, and its file borrows the weights; requires
                            ///< that both outputs are empty
    ProgressReporter* progress = nullptr;  ///< null: no progress, and it cannot be interrupted
};

/// Adds all options.
void addLowerOptions(OptionList& options, LowerSettings& settings);

struct LowerResult {
    std::shared_ptr<const etrecord::Record> record;  ///< owns the graphs that `lowered` refers to; may be
                                                     ///< null
    backends::lowering::LoweredProgram lowered;
    std::shared_ptr<const program::Program> program;  ///< the written file, read again; also `lowered.file`.
                                                      ///< Null with `inPieces`
};

/// Builds a program from the Edge graphs of a record, and writes it with its record. A program is lowered by
/// its instructions (lowerProgram()). Errors: those of the record and of backends::lowering::lowerRecord();
/// Io; Cancelled (InterruptionGuard: nothing is written).
[[nodiscard]] core::Result<LowerResult> lower(const LowerSettings& settings);
/// Likewise with an opened record: `settings.record` is only used in errors.
[[nodiscard]] core::Result<LowerResult> lowerOpened(std::shared_ptr<const etrecord::Record> record,
                                                    const LowerSettings& settings);

/// Partitioner of the settings' backend that reports progress and checks for interruption; empty for None.
[[nodiscard]] backends::lowering::Partitioner partitionerOf(const LowerSettings& settings);

/// Errors: Cancelled (InterruptionGuard); none if the settings have no progress.
[[nodiscard]] core::Result<> checkInterruption(const LowerSettings& settings);
/// Starts the last phase of the progress.
void beginWriting(const LowerSettings& settings);

/// The bytes of a program, which they keep.
[[nodiscard]] core::FileContent contentOf(const std::shared_ptr<const program::Program>& program);

/// Writes the program and its record to the paths in the settings. Errors: Io.
[[nodiscard]] core::Result<> writeLowered(const LowerSettings& settings, const LowerResult& result);

/// "model.py:12": the Python line that a node comes from; empty if the record has none.
[[nodiscard]] std::string pythonLine(const etrecord::Node& node);

/// Adds a Python line to an error: that of the first node or quoted value in its message, in a method's graph
/// including branches and loops. A value refers to the node that computes it or, for an input or a constant,
/// to the first one that reads it ("… (read by aten_mm_default, model.py:12)"). Returns the error unchanged
/// if it names none, or already has the line.
[[nodiscard]] core::Error withPythonLine(core::Error error, const etrecord::Record& record,
                                         std::string_view method);

}  // namespace et::tasks
