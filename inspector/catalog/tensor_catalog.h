#pragma once

#include "inspector/catalog/catalog_tensor.h"
#include "inspector/session/session.h"
#include "inspector/tensors/host_tensor.h"
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

/// What to list.
struct CatalogSources {
    std::shared_ptr<const Session> session;  ///< not null
    std::vector<std::shared_ptr<const program::TensorData>> tensorData{};
    std::span<const executor::Backend* const> backends{};  ///< who may tell what is inside of a delegate
    std::vector<std::string> problems{};  ///< of opening these, for TensorCatalog::problems()
};

/// In which form the elements of a quantized weight are wanted.
enum class TensorForm : std::uint8_t {
    Stored,  ///< its integers
    Real     ///< float32: the numbers that they stand for. Others as they are
};

/// The tensors of everything that is open, in one list: constants, weights inside of delegates, of data files
/// and of a record, test cases, and what the runtime logged. Listing reads no elements. Immutable, for any
/// thread; keeps alive what it borrows.
class TensorCatalog {
  public:
    /// Most bytes of one tensor that are read.
    static constexpr std::uint64_t maxBytes = std::uint64_t{1} << 30;

    [[nodiscard]] static std::shared_ptr<const TensorCatalog> build(CatalogSources sources);

    ~TensorCatalog();
    TensorCatalog(const TensorCatalog&) = delete;
    TensorCatalog& operator=(const TensorCatalog&) = delete;

    /// In the order of TensorOrigin, within an origin in that of the file.
    [[nodiscard]] const std::vector<CatalogTensor>& tensors() const;
    /// What could not be listed, a line each.
    [[nodiscard]] const std::vector<std::string>& problems() const;

    /// The elements of one of tensors(). Errors: Unsupported (a form that nothing here reads), Format (data
    /// that do not fill it, or lie outside of the file), Limit (more than maxBytes), and those of the
    /// readers.
    [[nodiscard]] core::Result<HostTensor> read(std::size_t tensor, TensorForm form) const;

    /// The tensors that belong to an operator: those that carry one of its debug handles, or else those of
    /// its instruction. Weights come before samples and logged values. `method` may be empty where there is
    /// one only.
    [[nodiscard]] std::vector<std::size_t> tensorsOf(std::string_view method, core::InstructionId instruction,
                                                     std::span<const core::DebugHandle> handles) const;

  private:
    struct Impl;
    explicit TensorCatalog(std::unique_ptr<Impl> data);
    std::unique_ptr<Impl> impl;
};

}  // namespace et::inspector
