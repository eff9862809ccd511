#include "app/python/columns.h"

#include "app/python/cells.h"

#include <nanobind/ndarray.h>

#include <array>
#include <limits>
#include <memory>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace et::python {
namespace {

namespace nb = nanobind;
using inspector::Block;
using inspector::Event;
using inspector::Statistics;

struct StatisticColumn {
    const char* name;
    double Statistics::* member;
};
constexpr std::array statisticColumns{
    StatisticColumn{"p10", &Statistics::p10},     StatisticColumn{"p50", &Statistics::p50},
    StatisticColumn{"p90", &Statistics::p90},     StatisticColumn{"avg", &Statistics::average},
    StatisticColumn{"min", &Statistics::minimum}, StatisticColumn{"max", &Statistics::maximum},
};

/// A million rows are some million lists, none of which refers to another: looking for cycles among them
/// takes as long as making them.
class CollectorPause {
  public:
    CollectorPause() : wasEnabled(PyGC_Disable() != 0) {}
    CollectorPause(const CollectorPause&) = delete;
    CollectorPause& operator=(const CollectorPause&) = delete;
    ~CollectorPause() {
        if (wasEnabled) {
            PyGC_Enable();
        }
    }

  private:
    bool wasEnabled;
};

nb::object newList(std::size_t length) {
    nb::object out = nb::steal(PyList_New(static_cast<Py_ssize_t>(length)));
    if (!out.is_valid()) {
        throw nb::python_error();
    }
    return out;
}

/// A list of `cell(event)`.
template <class Cell>
nb::object cells(const Block& block, Cell cell) {
    nb::object out = newList(block.events.size());
    for (std::size_t i = 0; i < block.events.size(); ++i) {
        PyList_SET_ITEM(out.ptr(), static_cast<Py_ssize_t>(i),
                        nb::object(cell(block.events[i])).release().ptr());
    }
    return out;
}

nb::object statistic(const Block& block, double Statistics::* member) {
    auto values = std::make_unique<double[]>(block.events.size());
    for (std::size_t i = 0; i < block.events.size(); ++i) {
        const Event& event = block.events[i];
        values[i] =
            event.samples.empty() ? std::numeric_limits<double>::quiet_NaN() : event.statistics.*member;
    }
    double* const data = values.release();
    const nb::capsule owner(data, [](void* held) noexcept { delete[] static_cast<double*>(held); });
    return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<1>>(data, {block.events.size()}, owner));
}

/// Types of the cells of an event, as far as events differ in them.
using Kind = std::tuple<bool, bool, bool, bool, bool, bool>;
Kind kindOf(const Event& event, std::size_t opTypes) {
    constexpr std::size_t shortened = 5;  // as many become a text (et_inspect.devtools.inspector._frames)
    return {event.samples.empty(),         event.startTicks.empty(),
            event.delegateInt.has_value(), event.delegateString.has_value(),
            event.backend.empty(),         opTypes >= shortened};
}

/// One row of each kind, and the column of op types, which tells kinds apart.
std::pair<nb::list, nb::object> kindsAndOpTypes(const Block& block) {
    std::set<Kind> seen;
    nb::list kinds;
    std::size_t row = 0;
    nb::object opTypes = cells(block, [&](const Event& event) {
        nb::list types = opTypesCell(block, event);
        if (seen.insert(kindOf(event, types.size())).second) {
            kinds.append(row);
        }
        ++row;
        return types;
    });
    return {kinds, opTypes};
}

/// One name stands for many events: one object, too.
nb::object backends(const Block& block) {
    std::string_view last;
    nb::object name = nb::none();
    return cells(block, [&](const Event& event) {
        if (event.backend != last) {
            last = event.backend;
            name = backendCell(event);
        }
        return name;
    });
}

}  // namespace

nb::dict columns(const Logged& logged, const Block& block) {
    const CollectorPause pause;
    auto [kinds, opTypes] = kindsAndOpTypes(block);
    nb::dict out;
    out["event_name"] = cells(block, [](const Event& event) { return text(event.name); });
    out["raw"] = cells(block, samplesCell);
    for (const StatisticColumn& column : statisticColumns) {
        out[column.name] = statistic(block, column.member);
    }
    out["op_types"] = opTypes;
    out["delegate_debug_identifier"] = cells(block, identifierCell);
    out["stack_traces"] =
        cells(block, [&](const Event& event) { return stackTracesCell(knownNodes(block, event)); });
    out["module_hierarchy"] =
        cells(block, [&](const Event& event) { return moduleHierarchyCell(knownNodes(block, event)); });
    out["is_delegated_op"] = cells(block, [](const Event& event) { return nb::bool_(event.delegated); });
    out["delegate_backend_name"] = backends(block);
    out["debug_data"] = cells(block, [&](const Event& event) {
        return logged.values(event.debugEvents.first(event.firstRunDebugEvents));
    });
    out["start_time"] = cells(block, startsCell);
    out["kinds"] = kinds;
    return out;
}

}  // namespace et::python
