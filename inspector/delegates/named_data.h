#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/program/method.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace et::inspector {

/// Named data outside a payload.
struct NamedBlob {
    std::string_view name;
    core::Bytes data;
};

/// Named data of a program and of tensor data files, which must outlive this.
class NamedBlobs {
  public:
    NamedBlobs(const program::Program& program,
               std::span<const std::shared_ptr<const program::TensorData>> tensorData);

    /// Data that a delegate of a method uses: names that its backend looks up, or that are in its payload.
    [[nodiscard]] std::vector<NamedBlob> usedBy(const program::Delegate& delegate,
                                                std::string_view method) const;
    /// Names that the delegate requires and that are missing.
    [[nodiscard]] std::vector<std::string> missingFor(const program::Delegate& delegate,
                                                      std::string_view method) const;

  private:
    void add(std::string_view name, core::Bytes data);

    std::vector<std::string_view> names;
    std::vector<core::Bytes> blobs;  ///< by position of the name
    std::unordered_map<std::string_view, std::size_t> positions;
};

}  // namespace et::inspector
