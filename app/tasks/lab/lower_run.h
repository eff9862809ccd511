#pragma once

#include "app/tasks/lab/python_lines.h"
#include "backends/lowering/lower.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"
#include "runtime/program/program.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// The backend that takes nodes of a graph.
enum class LowerBackend : std::uint8_t {
    Xnnpack,
    None  ///< all nodes become calls of kernels
};

struct LowerSettings {
    std::filesystem::path record;          ///< ETRecord with the weights inside, or a program (.pte, .bpte)
    std::filesystem::path output;          ///< program (.pte); empty: nothing is written
    std::filesystem::path recordOutput{};  ///< the record of that program; empty: none is written
    LowerBackend backend = LowerBackend::Xnnpack;
    std::vector<std::string> except{};      ///< nodes, operators or modules that stay out of delegates
    std::vector<std::string> only{};        ///< those that may go into delegates; empty: all
    std::filesystem::path programRecord{};  ///< of a program: its ETRecord, for lines, modules and handles
    std::vector<std::filesystem::path>
        data{};  ///< of a program: its tensor data files; empty: those beside it
};

struct LowerResult {
    std::shared_ptr<const etrecord::Record> record;  ///< keeps the graphs that `lowered` names; may be null
    backends::lowering::LoweredProgram lowered;
    std::shared_ptr<const program::Program> program;  ///< the file, read back
};

/// Makes a program of the Edge graphs of a record, and writes it with its record. A program is lowered by its
/// instructions (lowerProgram()). Errors: those of the record; as backends::lowering::lowerRecord(); Io.
[[nodiscard]] core::Result<LowerResult> lower(const LowerSettings& settings);
/// The same with a record that is there already: `settings.record` only stands for it in errors.
[[nodiscard]] core::Result<LowerResult> lowerOpened(std::shared_ptr<const etrecord::Record> record,
                                                    const LowerSettings& settings);

/// Writes the program and its record where the settings say so. Errors: Io.
[[nodiscard]] core::Result<> writeLowered(const LowerSettings& settings, const LowerResult& result);

}  // namespace et::app
