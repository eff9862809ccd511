#pragma once

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

/// Keeps weights of linear layers quantized: an operator of torchao computes the values in each run. 4-bit
/// integers in groups and blocks of gguf keep their bytes; all other quantized constants are unchanged.
class KeptQuantization {
  public:
    explicit KeptQuantization(et::native::FindTensor finder) : find(std::move(finder)) {}

    /// The program with such operators. Errors: NotFound (scales or zero points).
    [[nodiscard]] core::Result<et::native::Program> changed(const et::native::Program& program);
    /// Also finds the scales and zero points of these operators, which belong to this object.
    [[nodiscard]] std::optional<et::native::StoredTensor> stored(std::string_view key) const;

  private:
    core::Result<> keep(et::native::Method& method, std::size_t index);
    core::Result<bool> addParameters(const et::native::AffineGroups& groups, std::size_t rows,
                                     std::size_t perRow, const std::string& key);

    et::native::FindTensor find;
    std::map<std::string, std::vector<std::byte>, std::less<>> made;  ///< by key
};

}  // namespace et::backends::native
