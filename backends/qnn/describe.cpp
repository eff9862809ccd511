#include "backends/qnn/describe.h"

#include "backends/compile_spec_rules.h"
#include "backends/opaque_code.h"
#include "backends/payload_bytes.h"
#include "backends/payload_data.h"
#include "backends/qnn/detail/chip_labels.h"
#include "backends/qnn/schema/context_generated.h"
#include "backends/spec_text.h"
#include "runtime/core/byte_reader.h"
#include "runtime/core/flat_view.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends::qnn {
namespace {

using core::ByteReader;
using core::Bytes;
using core::ErrorCode;
using core::GraphNode;
using core::GraphValue;
using core::GraphValueId;
using core::ModelGraph;
using core::Result;

constexpr std::uint32_t wrapperMark = 0x5678'ABCD;
constexpr std::size_t wrapperSize = 256;
constexpr std::size_t wrapperFields = 20;  ///< before zeros
constexpr std::size_t contextHeaderSize = 40;

/// Backends of AI Engine Direct, as in QnnCommon.h and the headers of the backends.
constexpr std::array backendIds =
    std::to_array<SpecLabel>({{3, "CPU"}, {4, "GPU"}, {5, "DSP"}, {6, "HTP"}, {7, "HTA"}});

/// A context binary in the container of ExecuTorch.
struct Wrapper {
    std::int64_t signature = 0;
    Bytes context;
};

Result<Wrapper> readWrapper(Bytes payload) {
    ByteReader reader(payload);
    ET_ASSIGN(const auto mark, reader.read<std::uint32_t>("mark"));
    if (mark != wrapperMark) {
        return core::fail(ErrorCode::Format, fmt::format("expected {:#x}, got {:#x}", wrapperMark, mark),
                          {.file = {}, .field = "mark", .offset = 0});
    }
    Wrapper wrapper;
    ET_ASSIGN(wrapper.signature, reader.read<std::int64_t>("signature"));
    ET_ASSIGN(const auto size, reader.read<std::uint64_t>("context size"));
    ET_TRY(reader.seek(wrapperSize, "context"));
    ET_ASSIGN(wrapper.context, reader.take(size, "context"));
    return wrapper;
}

/// Parts of a context binary.
struct Context {
    Bytes metadata;
    Bytes code;
    const schema::Info* info = nullptr;  ///< null: not understood
};

/// Counts that the metadata contains twice must agree, else its positions are others.
bool isConsistent(const schema::Info& info) {
    if (info.graphs() == nullptr || info.graphs()->size() != info.graph_count()) {
        return false;
    }
    const std::string_view build = flatbuffers::GetStringView(info.build());
    return build.starts_with('v');
}

const schema::Graph1* graphOf(const schema::Graph& graph) {
    const auto* const third = graph.graph_as_Graph3();
    const auto* const second = third != nullptr ? third->graph() : graph.graph_as_Graph2();
    const auto* const first = second != nullptr ? second->graph() : graph.graph_as_Graph1();
    const auto fits = [](const auto* list, std::uint32_t count) {
        return (list == nullptr ? 0 : list->size()) == count;
    };
    return first != nullptr && first->name() != nullptr && fits(first->inputs(), first->input_count()) &&
                   fits(first->outputs(), first->output_count())
               ? first
               : nullptr;
}

/// Empty if the binary has another layout. `aligned` keeps the metadata, whose offsets are relative to
/// aligned addresses.
std::optional<Context> readContext(Bytes bytes, std::vector<std::uint64_t>& aligned) {
    constexpr std::array mark{std::byte{0}, std::byte{0}, std::byte{0}, std::byte{2},
                              std::byte{0}, std::byte{0}, std::byte{0}, std::byte{3}};
    constexpr std::size_t sizesAt = 16;
    ByteReader reader(bytes);
    const auto start = reader.take(mark.size(), "mark");
    if (!start || !std::ranges::equal(*start, mark) || !reader.seek(sizesAt, "metadata size")) {
        return std::nullopt;
    }
    const auto metadataSize = reader.read<std::uint64_t>("metadata size");
    const auto codeAt = reader.read<std::uint64_t>("code offset");
    const auto codeSize = reader.read<std::uint64_t>("code size");
    if (!codeSize || *metadataSize > bytes.size() - contextHeaderSize || *codeAt > bytes.size() ||
        *codeSize > bytes.size() - *codeAt || *codeAt < contextHeaderSize + *metadataSize) {
        return std::nullopt;
    }
    Context context{.metadata = bytes.subspan(contextHeaderSize, *metadataSize),
                    .code = bytes.subspan(*codeAt, *codeSize)};
    aligned.resize((context.metadata.size() + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
    std::ranges::copy(context.metadata, reinterpret_cast<std::byte*>(aligned.data()));
    const core::FlatView view(std::as_bytes(std::span(aligned)).first(context.metadata.size()), 0);
    const auto root = view.root<schema::Context>("");
    const auto* const info = root ? (*root)->info() : nullptr;
    const bool isKnown =
        info != nullptr && info->info() != nullptr &&
        (info->info_type() == schema::InfoVersion::Info1 || info->info_type() == schema::InfoVersion::Info2 ||
         info->info_type() == schema::InfoVersion::Info3);
    const auto* const described = isKnown ? static_cast<const schema::Info*>(info->info()) : nullptr;
    context.info = described != nullptr && isConsistent(*described) ? described : nullptr;
    return context;
}

/// Element types as in QnnTypes.h: the kind in the upper byte, the bits in the lower one as hexadecimal
/// digits.
std::string elementType(std::int32_t type, std::uint64_t& bits) {
    constexpr std::array<std::string_view, 7> kinds{
        "int", "uint", "float", "signed fixed-point ", "unsigned fixed-point ", "bool", "string"};
    const auto digits = static_cast<std::uint32_t>(type) & 0xFFU;
    const auto kind = static_cast<std::uint32_t>(type) >> 8U;
    bits = (digits >> 4U) * 10 + (digits & 0xFU);
    if (kind >= kinds.size()) {
        bits = 0;
        return fmt::format("type {:#x}", static_cast<std::uint32_t>(type));
    }
    return kind >= 5 ? std::string(kinds[kind]) : fmt::format("{}{}", kinds[kind], bits);
}

/// Position among the arguments, which the exporter writes into the name of an input: "input_2_x@0".
std::optional<std::size_t> argumentOf(std::string_view name) {
    constexpr std::string_view prefix = "input_";
    if (!name.starts_with(prefix)) {
        return std::nullopt;
    }
    name.remove_prefix(prefix.size());
    const std::string digits(name.substr(0, name.find('_')));
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() && end == digits.data() + digits.size() && !digits.empty()
               ? std::optional(number)
               : std::nullopt;
}

class Describer {
  public:
    Describer(const Wrapper& from, const Context& parts) : wrapper(from), context(parts) {}

    ModelGraph describe() {
        std::optional<GraphValueId> code;
        for (const schema::Graph* each : *context.info->graphs()) {
            const schema::Graph1* const described = graphOf(*each);
            if (described == nullptr) {
                continue;
            }
            GraphNode node{.name = described->name()->str(), .kind = "QNN graph"};
            node.attributes = attributes();
            addTensors(*described, node);
            if (code) {
                node.inputs.push_back(*code);
            } else {
                addOpaqueCode(graph, node, "code and weights of all graphs", context.code);
                code = context.code.empty() ? std::nullopt : std::optional(node.inputs.back());
            }
            graph.addNode(std::move(node));
        }
        return std::move(graph);
    }

  private:
    std::vector<core::GraphAttribute> attributes() const {
        const schema::Info& info = *context.info;
        const auto text = [](const schema::Version* version) {
            return version == nullptr
                       ? std::string("unknown")
                       : fmt::format("{}.{}.{}", version->major(), version->minor(), version->patch());
        };
        return {{"signature", fmt::to_string(wrapper.signature)},
                {"backend", labelText(info.backend(), backendIds)},
                {"chip", labelText(info.chip(), chipLabels)},
                {"SDK", info.build()->str()},
                {"core API", text(info.core_version())},
                {"backend API", text(info.backend_version())},
                {"context format", text(info.blob_version())}};
    }

    void addTensors(const schema::Graph1& described, GraphNode& node) {
        // The delegate's arguments are inputs, then outputs. The payload does not name the called graph if
        // there are several.
        const bool isOnly = context.info->graphs()->size() == 1;
        const std::size_t inputs = described.input_count();
        std::size_t position = 0;
        for (const auto* const list : {described.inputs(), described.outputs()}) {
            const bool isInput = list == described.inputs();
            position = isInput ? 0 : inputs;
            for (flatbuffers::uoffset_t i = 0; list != nullptr && i < list->size(); ++i, ++position) {
                GraphValue value = tensor(*list->Get(i), isInput);
                if (isOnly) {
                    const std::size_t argument = argumentOf(value.name).value_or(position);
                    value.attributes.push_back({"argument", fmt::to_string(argument)});
                }
                (isInput ? node.inputs : node.outputs).push_back(graph.addValue(std::move(value)));
            }
        }
    }

    static GraphValue tensor(const schema::Tensor& from, bool isInput) {
        std::vector<std::int64_t> sizes;
        for (flatbuffers::uoffset_t i = 0; from.sizes() != nullptr && i < from.sizes()->size(); ++i) {
            sizes.push_back(from.sizes()->Get(i));
        }
        std::uint64_t bits = 0;
        const std::string type = elementType(from.data_type(), bits);
        GraphValue value{.name = std::string(flatbuffers::GetStringView(from.name())),
                         .type = fmt::format("{} {}", type, core::sizesText(sizes)),
                         .role = isInput ? GraphValue::Role::Input : GraphValue::Role::Output,
                         .bytes = denseBytes(bits, sizes),
                         .attributes = {{"id", fmt::to_string(from.id())}}};
        if (const schema::ScaleOffset* const scale = from.quantization_as_ScaleOffset();
            scale != nullptr && scale->scale() != 0) {
            value.attributes.push_back({"scale", fmt::to_string(scale->scale())});
            value.attributes.push_back({"zero point", fmt::to_string(-std::int64_t{scale->offset()})});
        }
        return value;
    }

    const Wrapper& wrapper;
    const Context& context;
    ModelGraph graph;
};

/// Counts the objects of the metadata that are read here; others stay opaque.
class ReadMetadata {
  public:
    /// `copy` is the aligned copy of the metadata that was read.
    ReadMetadata(Bytes metadata, const std::vector<std::uint64_t>& copy, ByteCoverage& coverage)
        : original(metadata), start(reinterpret_cast<const std::byte*>(copy.data())), read(coverage) {}

    void add(const schema::Info& info) {
        range(start, sizeof(std::uint32_t));
        table(flatbuffers::GetRoot<schema::Context>(start));
        table(flatbuffers::GetRoot<schema::Context>(start)->info());
        table(&info);
        list(info.build(), 1);
        list(info.graphs(), sizeof(std::uint32_t));
        for (const schema::Graph* const each : *info.graphs()) {
            table(each);
            table(each->graph_as_Graph3());
            const auto* const third = each->graph_as_Graph3();
            table(third != nullptr ? third->graph() : each->graph_as_Graph2());
            if (const schema::Graph1* const graph = graphOf(*each); graph != nullptr) {
                addGraph(*graph);
            }
        }
    }

  private:
    void addGraph(const schema::Graph1& graph) {
        table(&graph);
        list(graph.name(), 1);
        for (const auto* const tensors : {graph.inputs(), graph.outputs()}) {
            list(tensors, sizeof(std::uint32_t));
            for (flatbuffers::uoffset_t i = 0; tensors != nullptr && i < tensors->size(); ++i) {
                const schema::Tensor& tensor = *tensors->Get(i);
                table(&tensor);
                list(tensor.name(), 1);
                list(tensor.sizes(), sizeof(std::uint32_t));
                table(tensor.quantization_as_ScaleOffset());
            }
        }
    }

    void range(const void* at, std::size_t size) {
        read.add(original.data() + (static_cast<const std::byte*>(at) - start), size);
    }
    template <class Table>
    void table(const Table* each) {
        if (each != nullptr) {
            const std::uint8_t* const vtable = reinterpret_cast<const flatbuffers::Table*>(each)->GetVTable();
            const auto size = flatbuffers::ReadScalar<flatbuffers::voffset_t>(vtable);
            range(vtable, size);
            if (size >= 2 * sizeof(flatbuffers::voffset_t)) {
                range(each, flatbuffers::ReadScalar<flatbuffers::voffset_t>(vtable + sizeof size));
            }
        }
    }
    /// A text (elements of one byte, and a zero behind them) or a vector.
    template <class Vector>
    void list(const Vector* each, std::size_t elementSize) {
        if (each != nullptr) {
            range(each, sizeof(std::uint32_t) + elementSize * each->size() + (elementSize == 1 ? 1 : 0));
        }
    }

    Bytes original;
    const std::byte* start;
    ByteCoverage& read;
};

/// A context binary whose metadata is not understood.
ModelGraph opaqueContext(const Wrapper& wrapper) {
    ModelGraph graph;
    GraphNode node{.name = "n0", .kind = "QNN context"};
    node.attributes = {{"signature", fmt::to_string(wrapper.signature)}};
    addOpaqueCode(graph, node, "context binary", wrapper.context);
    graph.addNode(std::move(node));
    return graph;
}

}  // namespace

Result<ModelGraph> describe(Bytes payload, const executor::NamedDataSource& /*namedData*/) {
    ET_ASSIGN(const Wrapper wrapper, readWrapper(payload));
    std::vector<std::uint64_t> aligned;
    const auto context = readContext(wrapper.context, aligned);
    return context && context->info != nullptr ? Describer(wrapper, *context).describe()
                                               : opaqueContext(wrapper);
}

Result<> listContents(const program::Delegate& delegate, const executor::NamedDataSource& /*namedData*/,
                      PayloadContents& contents) {
    ET_ASSIGN(const Wrapper wrapper, readWrapper(delegate.payload));
    contents.described.add(delegate.payload.data(), wrapperFields);
    contents.parts.push_back({.name = "context.bin", .data = wrapper.context});
    std::vector<std::uint64_t> aligned;
    if (const auto context = readContext(wrapper.context, aligned); context && context->info != nullptr) {
        contents.described.add(wrapper.context.data(), contextHeaderSize);
        ReadMetadata(context->metadata, aligned, contents.described).add(*context->info);
        contents.parts.push_back({.name = "metadata.bin", .data = context->metadata});
        contents.parts.push_back({.name = "code.bin", .data = context->code});
    }
    return {};
}

}  // namespace et::backends::qnn
