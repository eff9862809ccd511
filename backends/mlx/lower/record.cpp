#include "backends/mlx/lower/record.h"

#include "backends/mlx/lower/graph_maker.h"
#include "backends/mlx/read_payload.h"
#include "backends/payload_data.h"
#include "etrecord/record_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace et::backends::mlx {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using core::ScalarType;

constexpr std::uint64_t maxStateBytes = std::uint64_t{8} << 30U;  ///< of all buffers that start as zeros

/// Makes the record of one payload.
class RecordMaker {
  public:
    RecordMaker(const Payload& of, const executor::NamedDataSource& source)
        : payload(of), namedData(source), maker(of) {}

    Result<std::shared_ptr<const etrecord::Record>> make();

  private:
    Result<> addInputs();
    Result<> addTensors();
    Result<> addTensor(TensorNumber tensor);
    Result<> addChains();
    Result<> addOutputs();
    Result<etrecord::TensorToArchive> elementsOf(TensorNumber tensor, std::string_view name);
    Result<core::Bytes> zeros(std::uint64_t bytes);
    void addInput(std::string kind, const etrecord::Argument& argument, std::string name, std::string target);
    [[nodiscard]] std::string nameOf(TensorNumber tensor) const;

    const Payload& payload;
    const executor::NamedDataSource& namedData;
    GraphMaker maker;
    std::map<TensorNumber, std::string> names;
    std::map<std::string, etrecord::TensorToArchive, std::less<>> tensors;
    std::vector<std::shared_ptr<const void>> owners;
    std::uint64_t stateBytes = 0;
};

std::string RecordMaker::nameOf(TensorNumber tensor) const {
    const auto found = names.find(tensor);
    return found == names.end() ? fmt::format("t{}", tensor) : found->second;
}

void RecordMaker::addInput(std::string kind, const etrecord::Argument& argument, std::string name,
                           std::string target) {
    maker.graph().inputs.push_back(argument);
    maker.graph().inputSpecs.push_back({.kind = std::move(kind),
                                        .value = std::move(name),
                                        .target = std::move(target),
                                        .persistent = true,
                                        .argument = argument});
}

Result<> RecordMaker::addInputs() {
    for (const Slot& slot : payload.inputs) {
        const bool isTensor = slot.type == SlotType::Tensor;
        std::string name = fmt::format("{}{}", isTensor ? "t" : "v", slot.number);
        if (isTensor && maker.isDefined(slot.number)) {
            return fail(ErrorCode::Format, fmt::format("two inputs are t{}", slot.number));
        }
        if (isTensor) {
            maker.defineTensor(slot.number, name);
            addInput("user_input", tensorArgument(name), name, {});
        } else {
            maker.defineValue(slot.number, name);
            addInput("user_input",
                     {.name = {}, .kind = "as_sym_int", .value = etrecord::ValueRef{.name = name}}, name, {});
        }
    }
    return {};
}

/// Pages that nothing has written take no memory.
Result<core::Bytes> RecordMaker::zeros(std::uint64_t bytes) {
    stateBytes += bytes;
    if (bytes > maxStateBytes || stateBytes > maxStateBytes) {
        return fail(ErrorCode::Limit, fmt::format("mutable buffers of more than {} bytes", maxStateBytes));
    }
    // NOLINTNEXTLINE(cppcoreguidelines-no-malloc): a vector would write the pages
    const std::shared_ptr<const void> owner(std::calloc(std::max<std::uint64_t>(bytes, 1), 1), std::free);
    if (owner == nullptr) {
        return fail(ErrorCode::Limit, fmt::format("no memory for a buffer of {} bytes", bytes));
    }
    owners.push_back(owner);
    return core::Bytes(static_cast<const std::byte*>(owner.get()), static_cast<std::size_t>(bytes));
}

Result<etrecord::TensorToArchive> RecordMaker::elementsOf(TensorNumber tensor, std::string_view name) {
    const TensorMeta& meta = *payload.meta(tensor);
    etrecord::TensorToArchive made{
        .dtype = static_cast<ScalarType>(meta.dtype), .sizes = {}, .elements = {}, .parameter = false};
    for (const Dimension& dimension : meta.sizes) {
        made.sizes.push_back(dimension.size >= 0 ? dimension.size : dimension.maximum);
    }
    const std::uint64_t bytes = denseBytes(core::elementBytes(made.dtype) * std::uint64_t{8}, made.sizes);
    const auto found = namedData.find(name);
    if (!found && payload.roleOf(tensor) == Role::MutableBuffer) {
        ET_ASSIGN(made.elements, zeros(bytes));
    } else if (!found) {
        return fail(ErrorCode::NotFound,
                    fmt::format("the constant \"{}\" is neither in the program nor in a tensor data file",
                                core::printable(name)));
    } else {
        made.elements = *found;
    }
    if (made.elements.size() != bytes) {
        return fail(ErrorCode::Mismatch,
                    fmt::format("\"{}\" has {} bytes, but t{} is {}", core::printable(name),
                                made.elements.size(), tensor, typeText(*maker.resultTypes().of(tensor))));
    }
    if (carriedType(made.dtype) != made.dtype && made.dtype != ScalarType::UInt32) {
        return fail(ErrorCode::Unsupported, fmt::format("\"{}\" is {}", core::printable(name),
                                                        typeText(*maker.resultTypes().of(tensor))));
    }
    made.dtype = carriedType(made.dtype);
    return made;
}

Result<> RecordMaker::addTensor(TensorNumber tensor) {
    if (payload.meta(tensor) == nullptr) {
        return fail(ErrorCode::Format, fmt::format("t{} has no metadata", tensor));
    }
    const std::string name = fmt::format("t{}", tensor);
    const std::string target = nameOf(tensor);
    ET_ASSIGN(tensors[target], elementsOf(tensor, target));
    maker.defineTensor(tensor, name);
    addInput("buffer", tensorArgument(name), name, target);
    return {};
}

Result<> RecordMaker::addTensors() {
    for (const NamedSlot& named : payload.names) {
        if (named.slot.type == SlotType::Tensor) {
            names.try_emplace(named.slot.number, named.name);
        }
    }
    std::set<TensorNumber> computed;
    for (const Node& node : payload.initChain ? payload.chains[*payload.initChain] : Chain()) {
        const auto out = tensorIn(node, "out");
        if (out && !namedData.find(nameOf(*out))) {
            computed.insert(*out);
        }
    }
    for (TensorNumber tensor = 0; tensor < payload.tensorCount(); ++tensor) {
        const Role role = payload.roleOf(tensor);
        const bool isStored = role == Role::Constant || role == Role::MutableBuffer;
        if (isStored && !maker.isDefined(tensor) && !computed.contains(tensor)) {
            ET_TRY(addTensor(tensor));
        }
    }
    return {};
}

/// A chain that runs once when the delegate is loaded may not change its state here.
Result<> RecordMaker::addChains() {
    if (payload.initChain) {
        for (const Node& node : payload.chains[*payload.initChain]) {
            const auto out = tensorIn(node, "out");
            if (!chainsOf(node).empty() || (out && payload.roleOf(*out) == Role::MutableBuffer)) {
                return fail(ErrorCode::Unsupported,
                            fmt::format("a {} in the chain that runs when it is loaded", node.kind->name));
            }
        }
        ET_TRY(maker.addChain(*payload.initChain));
    }
    return maker.addChain(payload.mainChain);
}

Result<> RecordMaker::addOutputs() {
    etrecord::ExportedGraph& graph = maker.graph();
    const auto add = [&](std::string kind, const etrecord::Argument& argument, std::string value,
                         std::string target) {
        graph.outputs.push_back(argument);
        graph.outputSpecs.push_back({.kind = std::move(kind),
                                     .value = std::move(value),
                                     .target = std::move(target),
                                     .argument = argument});
    };
    for (TensorNumber tensor = 0; tensor < payload.tensorCount(); ++tensor) {
        if (payload.roleOf(tensor) == Role::MutableBuffer) {
            ET_ASSIGN(const MadeTensor made, maker.tensor(tensor));
            if (made.name != fmt::format("t{}", tensor)) {
                add("buffer_mutation", tensorArgument(made.name), made.name, nameOf(tensor));
            }
        }
    }
    for (const Slot& slot : payload.outputs) {
        if (slot.type == SlotType::Tensor) {
            ET_ASSIGN(const MadeTensor made, maker.tensor(slot.number));
            add("user_output", tensorArgument(made.name), made.name, {});
        } else {
            ET_ASSIGN(const std::string name, maker.value(slot.number));
            add("user_output", {.name = {}, .kind = "as_sym_int", .value = etrecord::ValueRef{.name = name}},
                name, {});
        }
    }
    return {};
}

Result<std::shared_ptr<const etrecord::Record>> RecordMaker::make() {
    ET_TRY(addTensors());
    ET_TRY(addInputs());
    ET_TRY(addChains());
    ET_TRY(addOutputs());
    maker.graph().dialect = "EDGE";
    std::vector<etrecord::MethodContent> methods(1);
    methods[0].method = "forward";
    methods[0].graph = std::move(maker.graph());
    methods[0].tensors = std::move(tensors);
    return etrecord::makeRecord(methods, "MLX payload", owners);
}

}  // namespace

Result<std::shared_ptr<const etrecord::Record>> recordOf(const program::Delegate& delegate,
                                                         const executor::NamedDataSource& namedData) {
    ET_ASSIGN(const Payload payload, readPayload(delegate.payload));
    return RecordMaker(payload, namedData).make();
}

}  // namespace et::backends::mlx
