#pragma once

#include "runtime/executor/backend.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace et::executor {

/// A blob of a tensor data file, with the file for error messages.
struct ExternalData {
    const program::TensorDataEntry* entry = nullptr;
    const program::TensorData* file = nullptr;
};

/// Named data of the program and of its external data files.
class ModuleData final : public NamedDataSource {
  public:
    ModuleData(const program::Program& program,
               std::span<const std::shared_ptr<const program::TensorData>> files);

    [[nodiscard]] std::optional<core::Bytes> find(std::string_view name) const override;
    /// Searches only the external data files.
    [[nodiscard]] std::optional<ExternalData> findExternal(std::string_view name) const;

  private:
    std::unordered_map<std::string_view, core::Bytes> own;  ///< data in the program
    std::vector<std::shared_ptr<const program::TensorData>> tensorData;
};

}  // namespace et::executor
