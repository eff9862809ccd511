#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// Graphs in SPIR-V modules, as the extension SPV_ARM_graph defines them.
namespace et::backends::vgf {

/// Id of a value or type in a module.
using SpirvId = std::uint32_t;

/// An instruction of an extended instruction set, such as TOSA's.
struct SpirvOperator {
    SpirvId result = 0;
    std::string_view set;      ///< "TOSA.001000.1"
    std::uint32_t number = 0;  ///< in the set
    std::vector<SpirvId> operands;
};

/// A value and its position among the inputs or outputs of the graph.
struct SpirvPort {
    SpirvId id = 0;
    std::uint32_t position = 0;
};

struct SpirvGraph {
    std::vector<SpirvPort> inputs;
    std::vector<SpirvPort> outputs;
    std::vector<SpirvOperator> operators;
    std::vector<std::optional<std::uint32_t>> bindings;  ///< of inputs, then outputs; nothing: not decorated
    std::size_t inputCount = 0;                          ///< of the graph's type
};

/// Borrows the words of the module.
class SpirvModule {
  public:
    /// Errors: Format.
    [[nodiscard]] static core::Result<SpirvModule> read(core::Bytes code);

    /// The graph of that entry point, else the first; nothing if there is none.
    [[nodiscard]] std::optional<SpirvGraph> graph(std::string_view entryPoint) const;

    /// "float32 [1, 16]" of a tensor; empty: unknown, or of another type.
    [[nodiscard]] std::string tensorType(SpirvId value) const;
    /// Position of a constant that the container stores.
    [[nodiscard]] std::optional<std::uint32_t> graphConstant(SpirvId value) const;
    /// The first elements of a constant in the module: "[0, 1]", "3", "true"; empty: no constant.
    [[nodiscard]] std::string constantText(SpirvId value) const;
    /// Its debug name; may be empty.
    [[nodiscard]] std::string_view nameOf(SpirvId value) const;

  private:
    using Words = std::span<const std::uint32_t>;

    void index(Words instruction);
    [[nodiscard]] Words definition(SpirvId id) const;
    [[nodiscard]] std::string elementType(SpirvId type) const;
    [[nodiscard]] std::vector<std::uint32_t> integers(SpirvId composite) const;
    [[nodiscard]] std::string scalarText(SpirvId value) const;
    [[nodiscard]] std::vector<std::optional<std::uint32_t>> bindingsOf(Words variables) const;

    std::vector<Words> instructions;
    std::unordered_map<SpirvId, Words> definitions;
    std::unordered_map<SpirvId, std::uint32_t> bindings;
    std::unordered_map<SpirvId, std::string_view> names;
};

}  // namespace et::backends::vgf
