#pragma once

#include "app/tasks/model/model_options.h"
#include "app/tasks/rewrite/node_choice.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

class OptionList;

/// Selects the part of a program to extract and the output file.
struct PartSettings {
    std::filesystem::path model;
    ModelOptions options;        ///< method, inputs, data, plugins, ETRecord
    std::string instructions{};  ///< "40..55", "3,5..9"; empty: selected by `module`, `node` or `delegate`
    std::string nodes{};   ///< operators of the delegates that they call (parseNodeChoice()); empty: all
    std::string module{};  ///< "layers.3", including nested modules
    std::string node{};    ///< name of an Edge node
    std::optional<std::size_t> delegate{};  ///< index of a delegate: selects its first call
    std::optional<std::size_t> payload{};   ///< index of a delegate: only its payload (extractPayload())
    std::filesystem::path output;           ///< .bpte: with a case per input set; otherwise only the program
};

/// Adds all options except those of the output format.
void addExtractOptions(OptionList& options, PartSettings& settings);

/// An input or output of the part.
struct PartValue {
    std::size_t value = 0;  ///< id in the original
    std::string type;       ///< "float32 [1, 16]"
};

struct PartResult {
    std::string method;
    std::vector<std::size_t> taken;  ///< instructions
    NodeChoice nodes;                ///< of the delegates that they call
    std::size_t instructions = 0;    ///< in the original
    std::vector<PartValue> inputs;
    std::vector<PartValue> outputs;
    std::size_t cases = 0;
    std::uint64_t bytesBefore = 0;
    std::uint64_t bytes = 0;
    std::filesystem::path record{};  ///< record of the part; empty: none was written
    std::string recordProblem{};     ///< why no record was written, although an ETRecord was given
};

/// Extracts instructions of a program as a separate program. Its inputs are computed by the preceding
/// instructions, on all cases of a bundled program, given inputs or random ones; its expected outputs are
/// computed by the whole, and the part must give identical bits. With an ETRecord, the part's record is
/// written next to it (partRecord()). Errors: those of Model and PartMaker::cut(); NotFound (no instruction
/// belongs to that module or node, no such delegate); Mismatch (the part gives different results: nothing is
/// written); Io.
[[nodiscard]] core::Result<PartResult> takePart(const PartSettings& settings);

}  // namespace et::tasks
