// Lists constants and state of a package (.ptn).
#include "inspector/tensors/catalog_builder.h"
#include "inspector/tensors/stored_values.h"
#include "runtime/core/scalar_type.h"
#include "runtime/native/model_graph.h"
#include "runtime/native/quantized.h"

#include <fmt/format.h>

#include <set>
#include <span>
#include <utility>

namespace et::inspector {
namespace {

using core::Result;
using core::ScalarType;
using native::Package;

/// Maximum size of state that no data in the file backs.
constexpr std::int64_t maxZeroBytes = std::int64_t{1} << 26;

/// A tensor of row-major elements.
template <class T>
HostTensor rowMajor(ScalarType type, std::vector<std::int64_t> sizes, const std::vector<T>& elements) {
    const auto bytes = std::as_bytes(std::span(elements));
    return {.dtype = type, .sizes = std::move(sizes), .dimOrder = {}, .data = {bytes.begin(), bytes.end()}};
}

/// "float32 [2, 3]", "gguf:q4k [64, 256]", "4-bit in groups of 32 [64, 256]".
std::string typeTextOf(const native::TensorMeta& meta) {
    std::string type = native::typeText(meta);
    return meta.isQuantized() ? native::quantizationText(meta.quantization) + type.substr(type.find(' '))
                              : type;
}

/// Lists each stored tensor and each buffer once, for the first method that has it.
class PackageLister {
  public:
    PackageLister(CatalogContent& into, const Package& from) : content(into), package(from) {}

    /// Constants, then state.
    void list() {
        for (const bool isMutable : {false, true}) {
            for (const native::Method& method : package.program.methods) {
                for (const native::Constant& constant : method.constants) {
                    if (constant.isMutable == isMutable) {
                        addConstant(method, constant);
                    }
                }
            }
            if (!isMutable) {
                addOtherTensors();
            }
        }
        for (const native::Method& method : package.program.methods) {
            for (const native::MutableBuffer& buffer : method.mutableBuffers) {
                addBuffer(method, buffer);
            }
        }
    }

  private:
    /// Scales, zero points and unused tensors.
    void addOtherTensors() {
        std::set<std::string_view> own;
        for (const native::Method& method : package.program.methods) {
            for (const native::Constant& constant : method.constants) {
                own.insert(constant.key);
            }
        }
        for (const auto& [key, tensor] : package.tensors.tensors) {
            if (!listed.contains(key) && !own.contains(key)) {
                content.add({.origin = TensorOrigin::Constant,
                             .name = key,
                             .place = "program.safetensors",
                             .type = fmt::format("{} [{}]", core::scalarTypeName(tensor.scalarType),
                                                 fmt::join(tensor.sizes, ", ")),
                             .bytes = tensor.data.size()},
                            DenseLocation{
                                .data = tensor.data, .scalarType = tensor.scalarType, .sizes = tensor.sizes});
            }
        }
    }

    void addConstant(const native::Method& method, const native::Constant& constant) {
        const auto stored = package.find(constant.key);
        if (!stored || !listed.insert(constant.key).second) {
            return;
        }
        CatalogTensor tensor{.origin = constant.isMutable ? TensorOrigin::State : TensorOrigin::Constant,
                             .name = constant.key,
                             .place = fmt::format("{}: {}", method.name, constant.name),
                             .type = typeTextOf(constant.meta),
                             .bytes = stored->data.size()};
        if (constant.meta.isQuantized()) {
            content.add(std::move(tensor), PackageLocation{.meta = &constant.meta, .data = stored->data});
        } else {
            content.add(std::move(tensor),
                        DenseLocation{.data = stored->data,
                                      .scalarType = constant.meta.scalarType,
                                      .sizes = {stored->sizes.begin(), stored->sizes.end()}});
        }
    }

    void addBuffer(const native::Method& method, const native::MutableBuffer& buffer) {
        const native::TensorMeta* const meta = method.tensor(buffer.name);
        if (meta != nullptr && listed.insert(buffer.key).second) {
            content.add({.origin = TensorOrigin::State,
                         .name = buffer.key,
                         .place = fmt::format("{}: {}, zero at load", method.name, buffer.name),
                         .type = typeTextOf(*meta)},
                        PackageLocation{.meta = meta});
        }
    }

    CatalogContent& content;
    const Package& package;
    std::set<std::string_view> listed;
};

}  // namespace

void addPackage(CatalogContent& content, const CatalogSources& sources) {
    if (sources.session->package != nullptr) {
        PackageLister(content, *sources.session->package).list();
    }
}

Result<HostTensor> packageTensor(const Package& package, const PackageLocation& place, TensorForm form) {
    const native::TensorMeta& meta = *place.meta;
    std::vector<std::int64_t> sizes = native::fixedSizes(meta).value_or(std::vector<std::int64_t>());
    const auto realBytes = core::tensorBytes(static_cast<std::int64_t>(ScalarType::Double), sizes);
    if (!realBytes || static_cast<std::uint64_t>(*realBytes) > TensorCatalog::maxBytes) {
        return core::fail(core::ErrorCode::Limit,
                          fmt::format("expected a tensor of at most {} bytes", TensorCatalog::maxBytes));
    }
    if (!meta.isQuantized()) {
        const auto bytes = core::tensorBytes(meta.scalarType, sizes).value_or(0);
        if (bytes > maxZeroBytes) {
            return core::fail(core::ErrorCode::Limit, fmt::format("{} bytes of zeros", bytes));
        }
        return HostTensor{.dtype = static_cast<ScalarType>(meta.scalarType),
                          .sizes = std::move(sizes),
                          .dimOrder = {},
                          .data = std::vector<std::byte>(static_cast<std::size_t>(bytes))};
    }
    if (form == TensorForm::Real) {
        ET_ASSIGN(const auto values, native::dequantize(meta, place.data, package.finder()));
        return rowMajor(ScalarType::Float, std::move(sizes), values);
    }
    if (std::holds_alternative<native::AffineGroups>(meta.quantization)) {
        ET_ASSIGN(const auto integers, native::quantizedIntegers(meta, place.data));
        return rowMajor(ScalarType::Int, std::move(sizes), integers);
    }
    const std::vector<std::int64_t> bytes{static_cast<std::int64_t>(place.data.size())};
    return denseTensor(place.data, static_cast<std::int8_t>(ScalarType::Byte), bytes, {});
}

}  // namespace et::inspector
