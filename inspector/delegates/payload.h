#pragma once

#include "backends/payload_contents.h"
#include "inspector/delegates/named_data.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace et::inspector {

/// A delegate's payload with the data that it uses. Borrows the files.
struct DelegatePayload {
    const program::Delegate* delegate = nullptr;
    backends::ListedContents contents{};
    std::vector<NamedBlob> namedData{};
    std::vector<std::string> missing{};  ///< names of required data that no file has
};

/// Finds the payload of delegate `index` of a method of the program. Needs no backend. Errors: NotFound.
[[nodiscard]] core::Result<DelegatePayload> findPayload(
    const program::Program& program, const program::Method& method, std::size_t index,
    std::span<const std::shared_ptr<const program::TensorData>> tensorData);

}  // namespace et::inspector
