#pragma once

#include "app/tasks/run/model_options.h"
#include "app/tasks/surgery/node_choice.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::app {

/// Which part of a program to take out, and where it goes.
struct PartSettings {
    std::filesystem::path model;
    ModelOptions options;        ///< method, inputs, data, plugins, ETRecord
    std::string instructions{};  ///< "40..55", "3,5..9"; empty: `module`, `node` or `delegate` says
    std::string nodes{};         ///< operators of delegates that they call (parseNodeChoice()); empty: all
    std::string module{};        ///< "layers.3", with all modules inside of it
    std::string node{};          ///< name of an Edge node
    std::optional<std::size_t> delegate{};  ///< number of a delegate: its first call
    std::filesystem::path output;  ///< .bpte: with a case for each set of inputs; else the program alone
};

/// A value that goes into the part or comes out.
struct PartValue {
    std::size_t value = 0;  ///< id in the original
    std::string type;       ///< "float32 [1, 16]"
};

struct PartResult {
    std::string method;
    std::vector<std::size_t> taken;  ///< instructions
    NodeChoice nodes;                ///< of delegates that some of them call
    std::size_t instructions = 0;    ///< of the original
    std::vector<PartValue> inputs;
    std::vector<PartValue> outputs;
    std::size_t cases = 0;
    std::uint64_t bytesBefore = 0;
    std::uint64_t bytes = 0;
    std::filesystem::path record{};  ///< of the part; empty: none was written
    std::string recordProblem{};     ///< why not, where an ETRecord was given
};

/// Takes instructions out of a program as a program of its own. What goes in is computed by the
/// instructions before, on all cases of a bundled program, given inputs, or random ones; what comes out is
/// computed by the whole, and the part has to give the same bits. With an ETRecord, the part's own is written
/// beside it (partRecord()). Errors: those of Model and
/// PartMaker::cut(); NotFound (no instruction is of that module or node, no such delegate); Mismatch (the
/// part gives something else: nothing is written); Io.
[[nodiscard]] core::Result<PartResult> takePart(const PartSettings& settings);

}  // namespace et::app
