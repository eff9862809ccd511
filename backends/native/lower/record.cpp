#include "backends/native/lower/record.h"

#include "backends/native/lower/exported_graph.h"
#include "backends/native/lower/kept_quantization.h"
#include "etrecord/record_maker.h"
#include "runtime/core/element_types.h"
#include "runtime/native/quantized.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace et::backends::native {
namespace {

namespace source = et::native;
using core::ErrorCode;
using core::fail;
using core::Result;
using core::ScalarType;

constexpr std::uint64_t maxStateBytes = std::uint64_t{8} << 30;  ///< of one tensor without data

/// The first result of a node that reads a tensor; null if nothing reads it.
const source::TensorMeta* resultOfReader(const source::Graph& graph, std::string_view name) {
    for (const source::Node& node : graph.nodes) {
        const bool isReader = std::ranges::any_of(node.inputs, [&](const source::Argument& argument) {
            const auto* tensor = std::get_if<source::TensorName>(&argument.value);
            return tensor != nullptr && tensor->name == name;
        });
        if (isReader && node.kind == source::Node::Kind::Call && !node.outputs.empty()) {
            const auto found = graph.tensors.find(node.outputs.front().name);
            return found == graph.tensors.end() ? nullptr : &found->second;
        }
    }
    return nullptr;
}

/// A quantized constant has the dtype in which its reader computes.
std::int8_t computedType(const source::Graph& graph, const source::Constant& constant) {
    if (!constant.meta.isQuantized()) {
        return constant.meta.scalarType;
    }
    const auto* result = resultOfReader(graph, constant.name);
    const bool isFloating =
        result != nullptr && core::isFloating(static_cast<ScalarType>(result->scalarType));
    return isFloating ? result->scalarType : std::int8_t{std::to_underlying(ScalarType::Float)};
}

template <class T>
core::Bytes converted(const std::vector<float>& values, std::vector<std::shared_ptr<const void>>& owners) {
    auto owned = std::make_shared<std::vector<T>>();
    owned->reserve(values.size());
    std::ranges::transform(values, std::back_inserter(*owned), [](float value) { return T(value); });
    owners.push_back(owned);
    return std::as_bytes(std::span(*owned));
}

/// Collects the tensors of the methods of one program.
class Tensors {
  public:
    explicit Tensors(source::FindTensor finder) : find(std::move(finder)) {}

    Result<> add(const source::Method& method, etrecord::MethodContent& content);
    [[nodiscard]] std::span<const std::shared_ptr<const void>> owned() const { return owners; }

  private:
    Result<core::Bytes> elements(const source::Constant& constant, ScalarType dtype);
    Result<core::Bytes> dequantized(const source::Constant& constant, ScalarType dtype);
    Result<core::Bytes> zeros(std::uint64_t bytes);

    source::FindTensor find;
    std::vector<std::shared_ptr<const void>> owners;
    std::map<std::pair<std::string, ScalarType>, core::Bytes> floats;  ///< of quantized constants
    core::Bytes zero;
};

/// Pages that nothing has written take no memory.
Result<core::Bytes> Tensors::zeros(std::uint64_t bytes) {
    if (bytes > maxStateBytes) {
        return fail(ErrorCode::Limit, fmt::format("a buffer of {} bytes; limit: {}", bytes, maxStateBytes));
    }
    if (bytes > zero.size()) {
        // NOLINTNEXTLINE(cppcoreguidelines-no-malloc): a vector would write the pages
        const std::shared_ptr<const void> owner(std::calloc(bytes, 1), std::free);
        if (owner == nullptr) {
            return fail(ErrorCode::Limit, fmt::format("no memory for a buffer of {} bytes", bytes));
        }
        zero = {static_cast<const std::byte*>(owner.get()), bytes};
        owners.push_back(owner);
    }
    return zero.first(bytes);
}

Result<core::Bytes> Tensors::dequantized(const source::Constant& constant, ScalarType dtype) {
    core::Bytes& known = floats[{constant.key, dtype}];
    if (!known.empty()) {
        return known;
    }
    const auto stored = find(constant.key);
    if (!stored) {
        return fail(ErrorCode::NotFound, "its data are missing");
    }
    ET_ASSIGN(const std::vector<float> values, source::dequantize(constant.meta, stored->data, find));
    switch (dtype) {
        case ScalarType::Half:
            known = converted<core::Half>(values, owners);
            return known;
        case ScalarType::BFloat16:
            known = converted<core::BFloat16>(values, owners);
            return known;
        case ScalarType::Double:
            known = converted<double>(values, owners);
            return known;
        default:
            known = converted<float>(values, owners);
            return known;
    }
}

Result<core::Bytes> Tensors::elements(const source::Constant& constant, ScalarType dtype) {
    if (constant.meta.isQuantized()) {
        return dequantized(constant, dtype);
    }
    const auto stored = find(constant.key);
    return stored ? Result<core::Bytes>(stored->data) : fail(ErrorCode::NotFound, "its data are missing");
}

Result<> Tensors::add(const source::Method& method, etrecord::MethodContent& content) {
    const auto named = [](const std::string& key) {
        return [&key](core::Error error) {
            error.message = fmt::format("\"{}\": {}", core::printable(key), error.message);
            return error;
        };
    };
    const auto add = [&](const std::string& name, const std::string& key, core::Bytes bytes,
                         bool isParameter) {
        const etrecord::TensorMeta& meta = content.graph.tensors.at(name);
        etrecord::TensorToArchive tensor{.dtype = static_cast<ScalarType>(meta.scalarType),
                                         .sizes = {},
                                         .elements = bytes,
                                         .parameter = isParameter};
        std::ranges::transform(meta.sizes, std::back_inserter(tensor.sizes), &etrecord::SymInt::value);
        content.tensors.insert_or_assign(key, std::move(tensor));
    };
    for (const source::Constant& constant : method.constants) {
        const auto dtype = static_cast<ScalarType>(content.graph.tensors.at(constant.name).scalarType);
        ET_ASSIGN(const core::Bytes bytes, elements(constant, dtype).transform_error(named(constant.key)));
        add(constant.name, constant.key, bytes, constant.kind == source::Constant::Kind::Parameter);
    }
    for (const source::MutableBuffer& buffer : method.mutableBuffers) {
        const auto found = content.graph.tensors.find(buffer.name);
        if (found == content.graph.tensors.end()) {
            return fail(ErrorCode::Format,
                        fmt::format("the buffer \"{}\" has no metadata", core::printable(buffer.key)));
        }
        std::vector<std::int64_t> sizes;
        std::ranges::transform(found->second.sizes, std::back_inserter(sizes), &etrecord::SymInt::value);
        const auto bytes = core::tensorBytes(found->second.scalarType, sizes);
        if (!bytes) {
            return fail(ErrorCode::Limit,
                        fmt::format("the buffer \"{}\" is too large", core::printable(buffer.key)));
        }
        ET_ASSIGN(const core::Bytes initial,
                  zeros(static_cast<std::uint64_t>(*bytes)).transform_error(named(buffer.key)));
        add(buffer.name, buffer.key, initial, false);
    }
    return {};
}

Result<std::shared_ptr<const etrecord::Record>> convert(const source::Program& program,
                                                        source::FindTensor find, std::string name,
                                                        std::shared_ptr<const void> owner) {
    Tensors tensors(std::move(find));
    std::uint32_t lastHandle = 0;
    std::vector<etrecord::MethodContent> methods;
    for (const source::Method& method : program.methods) {
        etrecord::MethodContent& content = methods.emplace_back();
        content.method = method.name;
        content.graph = exportedGraph(
            method, [&](const source::Constant& constant) { return computedType(method.graph, constant); },
            lastHandle);
        ET_TRY(tensors.add(method, content).transform_error([&](core::Error error) {
            error.message = fmt::format("method \"{}\": {}", core::printable(method.name), error.message);
            return error;
        }));
    }
    std::vector<std::shared_ptr<const void>> owners(tensors.owned().begin(), tensors.owned().end());
    owners.push_back(std::move(owner));
    return etrecord::makeRecord(methods, std::move(name), owners);
}

}  // namespace

Result<std::shared_ptr<const etrecord::Record>> recordOf(std::shared_ptr<const source::Package> package,
                                                         QuantizedConstants quantized) {
    const source::Package& content = *package;
    const auto named = [&](core::Error error) { return std::move(error).in(content.file->name()); };
    if (quantized == QuantizedConstants::Floats) {
        return convert(content.program, content.finder(), content.file->name(), std::move(package))
            .transform_error(named);
    }
    const auto kept = std::make_shared<KeptQuantization>(content.finder(), quantized);
    ET_ASSIGN(const source::Program program, kept->changed(content.program).transform_error(named));
    using Owners = std::pair<std::shared_ptr<const source::Package>, std::shared_ptr<KeptQuantization>>;
    return convert(
               program, [kept](std::string_view key) { return kept->stored(key); }, content.file->name(),
               std::make_shared<const Owners>(std::move(package), kept))
        .transform_error(named);
}

Result<std::shared_ptr<const etrecord::Record>> recordOf(const program::Delegate& delegate,
                                                         const executor::NamedDataSource& namedData) {
    ET_ASSIGN(const source::Program program, source::parseProgram(delegate.payload));
    const source::FindTensor find = [&](std::string_view key) -> std::optional<source::StoredTensor> {
        const auto bytes = namedData.find(key);
        return bytes ? std::optional(source::StoredTensor{.data = *bytes}) : std::nullopt;
    };
    ET_TRY(source::checkConstants(program, find));
    return convert(program, find, "NativeBackend payload", nullptr);
}

}  // namespace et::backends::native
