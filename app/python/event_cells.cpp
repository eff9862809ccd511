#include "app/python/event_cells.h"

#include "app/python/cells.h"
#include "app/python/tensors.h"
#include "inspector/events/event_fields.h"
#include "inspector/names/operator_names.h"

namespace et::python {
namespace {

namespace nb = nanobind;
using inspector::Block;
using inspector::Event;

/// Returns a new list; `make(value)` returns a new reference. Allocated at its full length, because there is
/// one per row.
template <class Value, class Make>
nb::object filledList(std::span<const Value> values, Make make) {
    const nb::object out = nb::steal(PyList_New(static_cast<Py_ssize_t>(values.size())));
    if (!out.is_valid()) {
        throw nb::python_error();
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        PyObject* const each = make(values[i]);
        if (each == nullptr) {
            throw nb::python_error();
        }
        PyList_SET_ITEM(out.ptr(), static_cast<Py_ssize_t>(i), each);
    }
    return out;
}

/// The name of a node in ExecuTorch's Inspector: the underscore keeps its viewer from merging `mm_1` into
/// `mm`.
nb::str shownName(const etrecord::Node& node) {
    return text(node.name + "_");
}

}  // namespace

nb::list Logged::values(std::span<const etdump::EventIndex> events) const {
    return pythonList(events, [&](const etdump::EventIndex index) {
        return loggedValue(joined->trace().debugValue(index), debugBuffer.get(), debugBuffer);
    });
}

nb::object samplesCell(const Event& event) {
    return event.samples.empty() ? nb::none() : filledList(event.samples, PyFloat_FromDouble);
}

nb::object startsCell(const Event& event) {
    return event.startTicks.empty() ? nb::none() : filledList(event.startTicks, [](std::uint64_t ticks) {
        return PyLong_FromUnsignedLongLong(ticks);
    });
}

nb::object identifierCell(const Event& event) {
    if (event.delegateInt) {
        return nb::cast(*event.delegateInt);
    }
    return event.delegateString ? nb::object(text(*event.delegateString)) : nb::none();
}

nb::object backendCell(const Event& event) {
    return event.backend.empty() ? nb::none() : nb::object(text(event.backend));
}

nb::list opTypesCell(const Block& block, const Event& event) {
    return pythonList(inspector::opTypes(block, event, inspector::OpTypes::Reference),
                      [](const std::string_view type) { return text(type); });
}

std::vector<const etrecord::Node*> knownNodes(const Block& block, const Event& event) {
    std::vector<const etrecord::Node*> nodes = inspector::events::nodesOf(block, event);
    std::erase_if(nodes, [](const etrecord::Node* node) {
        return inspector::names::detail::isUnloadedByReference(node->op);
    });
    return nodes;
}

nb::dict stackTracesCell(const std::vector<const etrecord::Node*>& nodes) {
    nb::dict out;
    for (const etrecord::Node* node : nodes) {
        out[shownName(*node)] = node->stackTrace.empty() ? nb::none() : nb::object(text(node->stackTrace));
    }
    return out;
}

nb::dict moduleHierarchyCell(const std::vector<const etrecord::Node*>& nodes) {
    nb::dict out;
    for (const etrecord::Node* node : nodes) {
        nb::dict modules;
        for (const etrecord::ModuleFrame& frame : node->moduleStack) {
            modules[text(frame.path)] = nb::make_tuple(text(frame.fqn), text(frame.type));
        }
        out[shownName(*node)] = modules;
    }
    return out;
}

}  // namespace et::python
