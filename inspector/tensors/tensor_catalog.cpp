#include "inspector/tensors/tensor_catalog.h"

#include "inspector/tensors/catalog_builder.h"
#include "inspector/tensors/stored_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <type_traits>
#include <utility>
#include <variant>

namespace et::inspector {

using core::ErrorCode;
using core::Result;

namespace {

bool isAnyOf(const std::vector<core::DebugHandle>& handles, const std::vector<core::DebugHandle>& sorted) {
    return std::ranges::any_of(
        handles, [&](core::DebugHandle each) { return std::ranges::binary_search(sorted, each); });
}

}  // namespace

/// Cache of the last archive read. An archive keeps every storage read from it, so it is reopened when these
/// grow too large.
class LastArchive {
  public:
    Result<std::shared_ptr<const etrecord::TorchArchive>> open(const etrecord::Record& record,
                                                               const std::string& name) {
        const std::scoped_lock lock(mutex);
        if (archive == nullptr || name != of || kept > mostKept) {
            ET_ASSIGN(auto opened, record.archive(name));
            archive = std::make_shared<const etrecord::TorchArchive>(std::move(opened));
            of = name;
            kept = 0;
        }
        return archive;
    }
    void add(std::uint64_t bytes) {
        const std::scoped_lock lock(mutex);
        kept += bytes;
    }

  private:
    static constexpr std::uint64_t mostKept = std::uint64_t{1} << 26;

    std::mutex mutex;
    std::string of;
    std::shared_ptr<const etrecord::TorchArchive> archive;
    std::uint64_t kept = 0;
};

struct TensorCatalog::Impl {
    CatalogSources sources;
    CatalogContent content{};
    LastArchive archives{};

    explicit Impl(CatalogSources from) : sources(std::move(from)) {}
    [[nodiscard]] Result<HostTensor> readArchived(const ArchiveLocation& place);
};

Result<HostTensor> TensorCatalog::Impl::readArchived(const ArchiveLocation& place) {
    ET_ASSIGN(const auto archive, archives.open(*sources.session->record, place.archive));
    if (place.tensor >= archive->tensors().size()) {
        return core::fail(ErrorCode::NotFound,
                          fmt::format("archive \"{}\" has no tensor {}", place.archive, place.tensor));
    }
    const etrecord::TorchTensor& tensor = archive->tensors()[place.tensor];
    ET_ASSIGN(std::vector<std::byte> data, archive->read(tensor, maxBytes));
    archives.add(data.size());
    return HostTensor{.dtype = static_cast<core::ScalarType>(tensor.scalarType),
                      .sizes = tensor.sizes,
                      .dimOrder = {},
                      .data = std::move(data)};
}

TensorCatalog::TensorCatalog(std::unique_ptr<Impl> data) : impl(std::move(data)) {
}
TensorCatalog::~TensorCatalog() = default;

std::shared_ptr<const TensorCatalog> TensorCatalog::build(CatalogSources sources) {
    auto data = std::make_unique<Impl>(std::move(sources));
    data->content.problems = data->sources.problems;
    for (const auto add :
         {addConstants, addPackage, addDataFiles, addDelegateWeights, addRecord, addTests, addLogged}) {
        add(data->content, data->sources);
    }
    return std::shared_ptr<const TensorCatalog>(new TensorCatalog(std::move(data)));
}

const std::vector<CatalogTensor>& TensorCatalog::tensors() const {
    return impl->content.tensors;
}

const std::vector<std::string>& TensorCatalog::problems() const {
    return impl->content.problems;
}

Result<HostTensor> TensorCatalog::read(std::size_t tensor, TensorForm form) const {
    return std::visit(
        [&]<class Place>(const Place& place) -> Result<HostTensor> {
            if constexpr (std::is_same_v<Place, DenseLocation>) {
                return denseTensor(place.data, place.scalarType, place.sizes, place.dimOrder);
            } else if constexpr (std::is_same_v<Place, backends::StoredConstant>) {
                return storedTensor(place.data, place.elements, form);
            } else if constexpr (std::is_same_v<Place, ArchiveLocation>) {
                return impl->readArchived(place);
            } else if constexpr (std::is_same_v<Place, PackageLocation>) {
                return packageTensor(*impl->sources.session->package, place, form);
            } else {
                return core::fail(ErrorCode::Unsupported, place.problem);
            }
        },
        impl->content.places[tensor]);
}

std::vector<std::size_t> TensorCatalog::tensorsOf(std::string_view method, core::InstructionId instruction,
                                                  std::span<const core::DebugHandle> handles) const {
    std::vector<core::DebugHandle> wanted(handles.begin(), handles.end());
    std::ranges::sort(wanted);
    std::vector<std::size_t> byHandle;
    std::vector<std::size_t> byInstruction;
    for (std::size_t i = 0; i < tensors().size(); ++i) {
        const CatalogTensor& tensor = tensors()[i];
        if (!method.empty() && !tensor.method.empty() && tensor.method != method) {
            continue;
        }
        if (isAnyOf(tensor.handles, wanted)) {
            byHandle.push_back(i);
        }
        if (instruction.value >= 0 && std::ranges::contains(tensor.instructions, instruction)) {
            byInstruction.push_back(i);
        }
    }
    return byHandle.empty() ? byInstruction : byHandle;
}

}  // namespace et::inspector
