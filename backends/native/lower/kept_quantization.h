#pragma once

#include "backends/native/lower/record.h"
#include "runtime/core/result.h"
#include "runtime/native/graph.h"
#include "runtime/native/read_graph.h"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::native {

/// Keeps weights of linear layers quantized; all other quantized constants are unchanged. Kept: an operator
/// of torchao computes the values of 4-bit integers in groups, and of blocks of gguf, in each run.
/// DynamicProducts: see there.
class KeptQuantization {
  public:
    KeptQuantization(et::native::FindTensor finder, QuantizedConstants how)
        : find(std::move(finder)), kind(how) {}

    /// The program with such operators. Errors: NotFound (scales or zero points).
    [[nodiscard]] core::Result<et::native::Program> changed(const et::native::Program& program);
    /// Also finds the scales and zero points of these operators, which belong to this object.
    [[nodiscard]] std::optional<et::native::StoredTensor> stored(std::string_view key) const;

  private:
    core::Result<> keep(et::native::Method& method, std::size_t index);
    core::Result<> keepIntegers(et::native::Method& method, std::size_t index);
    core::Result<bool> addIntegers(const et::native::Constant& constant,
                                   const et::native::AffineGroups& groups, std::size_t group);
    [[nodiscard]] core::Result<std::vector<double>> zeroPointsOf(const et::native::AffineGroups& groups,
                                                                 std::size_t count) const;
    core::Result<bool> addParameters(const et::native::AffineGroups& groups, std::size_t rows,
                                     std::size_t perRow, const std::string& key);

    et::native::FindTensor find;
    QuantizedConstants kind;
    std::map<std::string, std::vector<std::byte>, std::less<>> made;  ///< by key
};

}  // namespace et::backends::native
