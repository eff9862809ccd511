#include "backends/reference/archived_tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <ranges>
#include <utility>

namespace et::backends::reference {
namespace {

using core::Result;

bool isAligned(const std::byte* place, std::size_t width) {
    return width == 0 || std::bit_cast<std::uintptr_t>(place) % width == 0;
}

}  // namespace

Result<ReferenceTensor> loadTensor(const etrecord::TorchArchive& archive, const etrecord::TorchTensor& tensor,
                                   std::uint64_t maxBytes, Alignment alignment) {
    ET_ASSIGN(auto elements, archive.load(tensor, maxBytes));
    const auto dtype = static_cast<core::ScalarType>(tensor.scalarType);
    // Nothing writes through the view, since all readers of the archive share the bytes.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): see above
    auto* data = const_cast<std::byte*>(elements.bytes.data());
    if (alignment == Alignment::OfElements && !isAligned(data, core::elementBytes(dtype))) {
        auto copy = std::make_shared<std::vector<std::byte>>(elements.bytes.begin(), elements.bytes.end());
        data = copy->data();
        elements.owner = std::move(copy);
    }
    auto view = core::Tensor::make(dtype, tensor.sizes, data);
    if (!view) {
        core::Error error = std::move(view).error();
        error.message = fmt::format("tensor \"{}\": {}", core::printable(tensor.name), error.message);
        return std::unexpected(std::move(error));
    }
    view->setMemory(data, elements.bytes.size());
    view->setConstant(true);
    return ReferenceTensor{.view = *view, .owner = std::move(elements.owner)};
}

Result<ArchivedTensors> ArchivedTensors::open(const etrecord::Record& record, std::vector<std::string> names,
                                              std::uint64_t maxBytes) {
    ArchivedTensors opened;
    opened.bytesLeft = maxBytes;
    for (const std::string& name : names) {
        if (!std::ranges::contains(record.archiveNames(), name)) {
            continue;
        }
        ET_ASSIGN(etrecord::TorchArchive archive, record.archive(name));
        for (std::size_t i = 0; i < archive.tensors().size(); ++i) {
            opened.places.try_emplace(archive.tensors()[i].name, opened.archives.size(), i);
        }
        opened.archives.push_back(std::move(archive));
    }
    return opened;
}

Result<std::optional<ReferenceTensor>> ArchivedTensors::findForNow(std::string_view name) const {
    return findWith(name, Alignment::OfElements);
}

Result<std::optional<ReferenceTensor>> ArchivedTensors::findStored(std::string_view name) const {
    return findWith(name, Alignment::Any);
}

Result<std::optional<ReferenceTensor>> ArchivedTensors::findWith(std::string_view name,
                                                                 Alignment alignment) const {
    const auto found = places.find(name);
    if (found == places.end()) {
        return std::nullopt;
    }
    const etrecord::TorchArchive& archive = archives[found->second.archive];
    ET_ASSIGN(auto tensor,
              loadTensor(archive, archive.tensors()[found->second.tensor], bytesLeft, alignment));
    return std::optional(std::move(tensor));
}

Result<std::optional<ReferenceTensor>> ArchivedTensors::find(std::string_view name) {
    ET_ASSIGN(auto tensor, findForNow(name));
    if (tensor) {
        bytesLeft -= std::min<std::uint64_t>(bytesLeft, tensor->view.bytes());
    }
    return tensor;
}

std::vector<std::string_view> ArchivedTensors::names() const {
    std::vector<std::string_view> all;
    std::ranges::copy(places | std::views::keys, std::back_inserter(all));
    return all;
}

}  // namespace et::backends::reference
