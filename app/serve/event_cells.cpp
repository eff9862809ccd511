#include "app/serve/event_cells.h"

#include "app/serve/conversions.h"
#include "app/serve/tensors.h"
#include "inspector/events/event_fields.h"
#include "inspector/names/operator_names.h"

namespace et::serve {
namespace {

using inspector::Block;
using inspector::Event;

/// The name of a node in ExecuTorch's Inspector: the underscore keeps its viewer from merging `mm_1` into
/// `mm`.
std::string shownName(const etrecord::Node& node) {
    return node.name + "_";
}

}  // namespace

List Logged::values(std::span<const etdump::EventIndex> events) const {
    return collected(events, [&](const etdump::EventIndex index) {
        return loggedValue(joined->trace().debugValue(index), debugBuffer.get(), debugBuffer);
    });
}

Value samplesCell(const Event& event) {
    return event.samples.empty() ? Value() : valueOf(event.samples);
}

Value startsCell(const Event& event) {
    return event.startTicks.empty() ? Value() : valueOf(event.startTicks);
}

Value identifierCell(const Event& event) {
    if (event.delegateInt) {
        return *event.delegateInt;
    }
    return event.delegateString ? text(*event.delegateString) : Value();
}

Value backendCell(const Event& event) {
    return event.backend.empty() ? Value() : text(event.backend);
}

List opTypesCell(const Block& block, const Event& event) {
    return collected(inspector::opTypes(block, event, inspector::OpTypes::Reference),
                     [](const std::string_view type) { return text(type); });
}

std::vector<const etrecord::Node*> knownNodes(const Block& block, const Event& event) {
    std::vector<const etrecord::Node*> nodes = inspector::events::nodesOf(block, event);
    std::erase_if(nodes, [](const etrecord::Node* node) {
        return inspector::names::detail::isUnloadedByReference(node->op);
    });
    return nodes;
}

Dict stackTracesCell(const std::vector<const etrecord::Node*>& nodes) {
    Dict out;
    for (const etrecord::Node* node : nodes) {
        out[shownName(*node)] = node->stackTrace.empty() ? Value() : text(node->stackTrace);
    }
    return out;
}

Dict moduleStackCell(const etrecord::Node& node) {
    Dict out;
    for (const etrecord::ModuleFrame& frame : node.moduleStack) {
        out[frame.path] = tupleOf(text(frame.fqn), text(frame.type));
    }
    return out;
}

Dict moduleHierarchyCell(const std::vector<const etrecord::Node*>& nodes) {
    Dict out;
    for (const etrecord::Node* node : nodes) {
        out[shownName(*node)] = moduleStackCell(*node);
    }
    return out;
}

}  // namespace et::serve
