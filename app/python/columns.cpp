#include "app/python/columns.h"

#include "app/python/object_column.h"

#include <nanobind/ndarray.h>

#include <array>
#include <bitset>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

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

/// Disables the garbage collector. A million rows are two million lists without references to each other;
/// searching them for cycles during construction would take as long as the construction.
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

/// A numpy array of numbers or bools.
template <class Number>
class NumberColumn {
  public:
    explicit NumberColumn(std::size_t count)
        : length(count), values(std::make_unique_for_overwrite<Number[]>(count)) {}

    void set(std::size_t row, Number value) { values[row] = value; }
    [[nodiscard]] nb::object array() && {
        Number* const data = values.release();
        const nb::capsule owner(data, [](void* held) noexcept { delete[] static_cast<Number*>(held); });
        return nb::cast(nb::ndarray<nb::numpy, Number, nb::ndim<1>>(data, {length}, owner));
    }

  private:
    std::size_t length;
    std::unique_ptr<Number[]> values;
};

/// The columns of a block. Filled row by row: an event takes some hundred bytes, so a million of them are
/// read from memory only once.
class Columns {
  public:
    Columns(const Logged& joined, const Block& of)
        : logged(joined), block(of), statistics(makeStatistics(of.events.size())) {}

    nb::dict build() {
        for (std::size_t row = 0; row < count; ++row) {
            const Event& event = block.events[row];
            setNames(row, event);
            setTimes(row, event);
            setGraph(row, event);
            debugData.set(
                row, event.firstRunDebugEvents == 0
                         ? noList
                         : nb::object(logged.values(event.debugEvents.first(event.firstRunDebugEvents))));
            noteKind(row, event);
        }
        return named();
    }

  private:
    using Statistic = NumberColumn<double>;

    static std::vector<Statistic> makeStatistics(std::size_t count) {
        std::vector<Statistic> made;
        for (std::size_t i = 0; i < statisticColumns.size(); ++i) {
            made.emplace_back(count);
        }
        return made;
    }

    void setNames(std::size_t row, const Event& event) {
        name.set(row, texts.of(event.name));
        identifier.set(row, event.delegateString ? texts.of(*event.delegateString) : identifierCell(event));
        backend.set(row, event.backend.empty() ? nb::none() : texts.of(event.backend));
        delegated.set(row, event.delegated);
    }

    void setTimes(std::size_t row, const Event& event) {
        raw.set(row, samplesCell(event));
        startTime.set(row, startsCell(event));
        for (std::size_t i = 0; i < statisticColumns.size(); ++i) {
            statistics[i].set(row, event.samples.empty() ? std::numeric_limits<double>::quiet_NaN()
                                                         : event.statistics.*statisticColumns[i].member);
        }
    }

    void setGraph(std::size_t row, const Event& event) {
        if (event.nodes.empty()) {
            opTypes.set(row, noList);
            stackTraces.set(row, noDict);
            moduleHierarchy.set(row, noDict);
            return;
        }
        const std::vector<const etrecord::Node*> nodes = knownNodes(block, event);
        opTypes.set(row, opTypesCell(block, event));
        stackTraces.set(row, stackTracesCell(nodes));
        moduleHierarchy.set(row, moduleHierarchyCell(nodes));
    }

    /// Records the row if its cells have types that no earlier row has.
    void noteKind(std::size_t row, const Event& event) {
        constexpr std::size_t shortened = 5;  // this many become a text
                                              // (et_inspect.devtools.inspector._frames)
        const std::size_t kind =
            (event.samples.empty() ? 1U : 0U) | (event.startTicks.empty() ? 2U : 0U) |
            (event.delegateInt ? 4U : 0U) | (event.delegateString ? 8U : 0U) |
            (event.backend.empty() ? 16U : 0U) |
            (!event.nodes.empty() && inspector::opTypes(block, event).size() >= shortened ? 32U : 0U);
        if (!seen.test(kind)) {
            seen.set(kind);
            kinds.append(row);
        }
    }

    nb::dict named() {
        nb::dict out;
        out["event_name"] = name.array();
        out["raw"] = raw.array();
        for (std::size_t i = 0; i < statisticColumns.size(); ++i) {
            out[statisticColumns[i].name] = std::move(statistics[i]).array();
        }
        out["op_types"] = opTypes.array();
        out["delegate_debug_identifier"] = identifier.array();
        out["stack_traces"] = stackTraces.array();
        out["module_hierarchy"] = moduleHierarchy.array();
        out["is_delegated_op"] = std::move(delegated).array();
        out["delegate_backend_name"] = backend.array();
        out["debug_data"] = debugData.array();
        out["start_time"] = startTime.array();
        out["kinds"] = kinds;
        return out;
    }

    const Logged& logged;
    const Block& block;
    std::size_t count = block.events.size();
    ObjectColumn name{count}, raw{count}, opTypes{count}, identifier{count}, stackTraces{count};
    ObjectColumn moduleHierarchy{count}, backend{count}, debugData{count}, startTime{count};
    NumberColumn<bool> delegated{count};
    std::vector<Statistic> statistics;
    SharedTexts texts;
    nb::object noList = nb::list(), noDict = nb::dict();
    std::bitset<64> seen;
    nb::list kinds;
};

}  // namespace

nb::dict columns(const Logged& logged, const Block& block) {
    const CollectorPause pause;
    return Columns(logged, block).build();
}

}  // namespace et::python
