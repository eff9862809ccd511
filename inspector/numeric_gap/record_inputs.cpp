#include "inspector/numeric_gap/record_inputs.h"

#include "etrecord/torch_archive.h"
#include "inspector/numeric_gap/reference_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace et::inspector {
namespace {

using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;
using core::ErrorCode;
using core::fail;
using core::Result;

struct KindTraits {
    RecordInputKind kind;
    std::string_view name;
};
constexpr std::array kinds{KindTraits{RecordInputKind::Representative, "representative inputs"},
                           KindTraits{RecordInputKind::Example, "example inputs"}};

/// Candidate zip entries, in order of preference.
std::vector<std::string> entriesOf(RecordInputKind kind, std::string_view method) {
    if (kind == RecordInputKind::Representative) {
        return method == "forward" ? std::vector<std::string>{"representative_inputs"}
                                   : std::vector<std::string>{};
    }
    std::vector<std::string> entries{fmt::format("edge_dialect_exported_program/{}_example_inputs", method)};
    if (method == "forward") {
        entries.emplace_back("edge_dialect_exported_program_example_inputs");
        entries.emplace_back("exported_program_example_inputs");
    }
    return entries;
}

/// Reads the tensors whose names begin with `prefix`.
Result<std::vector<ReferenceValue>> readTensors(const etrecord::TorchArchive& archive, std::uint64_t maxBytes,
                                                std::string_view prefix = {}) {
    std::vector<ReferenceValue> values;
    for (const etrecord::TorchTensor& each : archive.tensors()) {
        if (!each.name.starts_with(prefix)) {
            continue;
        }
        ET_ASSIGN(std::vector<std::byte> data, archive.read(each, maxBytes));
        maxBytes -= data.size();
        auto memory = std::make_shared<std::vector<std::byte>>(std::move(data));
        ET_ASSIGN(const core::Tensor view, core::Tensor::make(static_cast<core::ScalarType>(each.scalarType),
                                                              each.sizes, memory->data()));
        values.push_back(ReferenceValue{ReferenceTensor{.view = view, .owner = std::move(memory)}});
    }
    return values;
}

/// Converts a user input that is a plain value in the graph.
ReferenceValue plainValue(const etrecord::Argument& argument) {
    return std::visit(
        []<class T>(const T& content) {
            constexpr bool isPlain = std::is_same_v<T, std::int64_t> || std::is_same_v<T, double> ||
                                     std::is_same_v<T, bool> || std::is_same_v<T, std::string>;
            if constexpr (isPlain) {
                return ReferenceValue{content};
            } else {
                return ReferenceValue{};
            }
        },
        argument.value);
}

/// Inserts the tensors at the graph's tensor inputs.
Result<std::vector<ReferenceValue>> arrange(std::vector<ReferenceValue> tensors,
                                            const etrecord::ExportedGraph& graph, std::string_view entry) {
    std::vector<ReferenceValue> arranged;
    std::size_t next = 0;
    for (const etrecord::InputSpec& spec : graph.inputSpecs) {
        if (!isUserInput(spec)) {
            continue;
        }
        const bool isTensor = graph.tensors.contains(spec.value);
        if (!isTensor && std::holds_alternative<etrecord::ValueRef>(spec.argument.value)) {
            return fail(ErrorCode::NotFound,
                        fmt::format("the record has no value for the number \"{}\", an input of the graph: "
                                    "pass all inputs with --input",
                                    core::printable(spec.value)),
                        {.file = {}, .field = std::string(entry), .offset = {}});
        }
        if (!isTensor) {
            arranged.push_back(plainValue(spec.argument));
        } else if (next < tensors.size()) {
            arranged.push_back(std::move(tensors[next++]));
        } else {
            ++next;
        }
    }
    if (next != tensors.size()) {
        return fail(ErrorCode::Format,
                    fmt::format("expected {} tensors, one for each tensor input of the graph, got {}", next,
                                tensors.size()),
                    {.file = {}, .field = std::string(entry), .offset = {}});
    }
    return arranged;
}

}  // namespace

std::string_view nameOf(RecordInputKind kind) {
    for (const KindTraits& info : kinds) {
        if (info.kind == kind) {
            return info.name;
        }
    }
    return {};
}

Result<RecordInputs> recordInputs(const etrecord::Record& record, std::string_view method,
                                  const etrecord::ExportedGraph& graph, RecordInputKind kind,
                                  std::uint64_t maxBytes) {
    const std::string_view name = nameOf(kind);
    for (const std::string& entry : entriesOf(kind, method)) {
        if (!std::ranges::contains(record.archiveNames(), entry)) {
            continue;
        }
        ET_ASSIGN(const auto archive, record.archive(entry));
        ET_ASSIGN(std::vector<ReferenceValue> tensors, readTensors(archive, maxBytes));
        ET_ASSIGN(std::vector<ReferenceValue> values, arrange(std::move(tensors), graph, entry));
        return RecordInputs{.values = std::move(values), .source = std::string(name)};
    }
    return fail(ErrorCode::NotFound, fmt::format("the record has no {} of {}", name, method),
                {.file = record.file().name(), .field = {}, .offset = {}});
}

Result<RecordInputs> recordInputs(const etrecord::Record& record, std::string_view method,
                                  const etrecord::ExportedGraph& graph, std::uint64_t maxBytes) {
    auto best = recordInputs(record, method, graph, RecordInputKind::Representative, maxBytes);
    return best ? std::move(best) : recordInputs(record, method, graph, RecordInputKind::Example, maxBytes);
}

Result<std::vector<ReferenceValue>> referenceOutputs(const etrecord::Record& record, std::string_view method,
                                                     std::uint64_t maxBytes) {
    ET_ASSIGN(const auto archive, record.archive("reference_outputs"));
    return readTensors(archive, maxBytes, fmt::format("{}[0]", method));
}

bool sameValues(std::span<const ReferenceValue> left, std::span<const ReferenceValue> right) {
    return std::ranges::equal(left, right, [](const ReferenceValue& a, const ReferenceValue& b) {
        const auto* one = a.as<ReferenceTensor>();
        const auto* other = b.as<ReferenceTensor>();
        if (one == nullptr || other == nullptr) {
            return one == nullptr && other == nullptr && a.content.index() == b.content.index();
        }
        return one->view.dtype() == other->view.dtype() &&
               std::ranges::equal(one->view.sizes(), other->view.sizes()) &&
               std::ranges::equal(one->view.rawBytes(), other->view.rawBytes());
    });
}

}  // namespace et::inspector
