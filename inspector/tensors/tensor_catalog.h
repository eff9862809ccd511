#pragma once

#include "inspector/session/session.h"
#include "inspector/tensor_files/host_tensor.h"
#include "inspector/tensors/catalog_tensor.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"
#include "runtime/program/tensor_data.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Files to list.
struct CatalogSources {
    std::shared_ptr<const Session> session;  ///< not null
    std::vector<std::shared_ptr<const program::TensorData>> tensorData{};
    std::span<const executor::Backend* const> backends{};  ///< backends that can describe the content of
                                                           ///< delegates
    std::vector<std::string> problems{};  ///< from opening these files, for TensorCatalog::problems()
};

/// Form of a quantized weight's elements.
enum class TensorForm : std::uint8_t {
    Stored,  ///< its integers
    Real     ///< dequantized to float32; other tensors unchanged
};

/// All tensors of the open files in one list: constants, weights in delegates, data files and records, test
/// cases, and values logged by the runtime. Listing reads no elements. Immutable and thread-safe; keeps alive
/// what it borrows.
class TensorCatalog {
  public:
    /// Maximum bytes of one tensor to read.
    static constexpr std::uint64_t maxBytes = std::uint64_t{1} << 30;

    [[nodiscard]] static std::shared_ptr<const TensorCatalog> build(CatalogSources sources);

    ~TensorCatalog();
    TensorCatalog(const TensorCatalog&) = delete;
    TensorCatalog& operator=(const TensorCatalog&) = delete;

    /// Ordered by TensorOrigin, then by file order.
    [[nodiscard]] const std::vector<CatalogTensor>& tensors() const;
    /// Problems while listing, one line each.
    [[nodiscard]] const std::vector<std::string>& problems() const;

    /// The elements of one of tensors(). Errors: Unsupported (unsupported storage format), Format (data that
    /// do not fill it, or are outside the file), Limit (more than maxBytes), and those of the readers.
    [[nodiscard]] core::Result<HostTensor> read(std::size_t tensor, TensorForm form) const;

    /// Tensors of an operator: those with one of its debug handles, or else those of its instruction. Weights
    /// come before samples and logged values. `method` may be empty if there is only one.
    [[nodiscard]] std::vector<std::size_t> tensorsOf(std::string_view method, core::InstructionId instruction,
                                                     std::span<const core::DebugHandle> handles) const;

  private:
    struct Impl;
    explicit TensorCatalog(std::unique_ptr<Impl> data);
    std::unique_ptr<Impl> impl;
};

}  // namespace et::inspector
