#include "app/serve/columns.h"

#include "app/serve/conversions.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <limits>
#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace et::serve {
namespace {

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

constexpr std::int32_t none = -1;
constexpr std::int32_t isNumber = -2;

/// Memory of all columns of numbers, shared with Python if there is much of it.
class ColumnMemory {
  public:
    explicit ColumnMemory(std::size_t bytes) {
        constexpr std::size_t much = std::size_t{1} << 20U;
        if (bytes > much) {
            shared = SharedMemory::make(bytes).value_or(nullptr);
        }
        if (shared != nullptr) {
            rest = shared->bytes();
        } else {
            own = std::make_shared<std::vector<std::byte>>(bytes);
            rest = *own;
        }
    }

    /// Takes memory for `count` elements and returns it; `value` becomes the array.
    template <class Number>
    std::span<Number> take(ElementType type, std::size_t count, Value& value) {
        const std::span<std::byte> bytes = rest.first(count * sizeof(Number));
        rest = rest.subspan(paddedSize(bytes.size()));
        Array array{.type = type, .sizes = {static_cast<std::int64_t>(count)}};
        array.bytes = bytes;
        array.owner = shared != nullptr ? std::shared_ptr<const void>(shared) : own;
        array.shared = shared;
        array.writable = true;
        value = std::move(array);
        return {reinterpret_cast<Number*>(bytes.data()), count};
    }

  private:
    std::shared_ptr<SharedMemory> shared;
    std::shared_ptr<std::vector<std::byte>> own;
    std::span<std::byte> rest;
};

/// The distinct values of a column. Texts must outlive this object.
class DistinctTexts {
  public:
    std::int32_t codeOf(std::string_view bytes) {
        // Names of a trace are interned, so their address identifies them.
        const auto place = reinterpret_cast<std::uintptr_t>(bytes.data());
        Known& candidate = recent[(place ^ (place >> 10U)) % recent.size()];
        if (candidate.bytes.data() != bytes.data() || candidate.bytes.size() != bytes.size() ||
            candidate.code == none) {
            const auto [found, isNew] = codes.try_emplace(bytes, static_cast<std::int32_t>(values.size()));
            if (isNew) {
                values.push_back(text(bytes));
            }
            candidate = {.bytes = bytes, .code = found->second};
        }
        return candidate.code;
    }
    [[nodiscard]] List take() { return std::move(values); }

  private:
    struct Known {
        std::string_view bytes{};
        std::int32_t code = none;
    };
    std::array<Known, 1024> recent;  ///< cache indexed by address; later entries replace earlier ones
    std::unordered_map<std::string_view, std::int32_t> codes;
    List values;
};

/// A column with few distinct values.
struct CodedColumn {
    Value codes;
    std::span<std::int32_t> rows;
    DistinctTexts texts;
    List values;  ///< those that are not texts
};

/// The columns of a block. Filled row by row: an event takes some hundred bytes, so a million of them are
/// read from memory only once.
class Columns {
  public:
    Columns(const Logged& joined, const Block& of)
        : logged(joined), block(of), samples(countSamples(of)), memory(neededBytes()) {
        for (std::size_t i = 0; i < statisticColumns.size(); ++i) {
            statistics[i] = memory.take<double>({.kind = 'f', .bytes = 8}, count, statisticValues[i]);
        }
        for (CodedColumn* const each : {&name, &identifier, &backend, &graph, &debugData}) {
            each->rows = memory.take<std::int32_t>({.kind = 'i', .bytes = 4}, count, each->codes);
        }
        numbers = memory.take<std::int64_t>({.kind = 'i', .bytes = 8}, count, numberValues);
        offsets = memory.take<std::int64_t>({.kind = 'i', .bytes = 8}, count + 1, offsetValues);
        raw = memory.take<double>({.kind = 'f', .bytes = 8}, samples, rawValues);
        starts = memory.take<std::uint64_t>({.kind = 'u', .bytes = 8}, samples, startValues);
        delegated = memory.take<bool>({.kind = 'b', .bytes = 1}, count, delegatedValues);
    }

    Dict build() {
        for (std::size_t row = 0; row < count; ++row) {
            const Event& event = block.events[row];
            setNames(row, event);
            setTimes(row, event);
            graph.rows[row] = graphCode(event);
            debugData.rows[row] = none;
            if (event.firstRunDebugEvents > 0) {
                debugData.rows[row] = static_cast<std::int32_t>(debugData.values.size());
                debugData.values.push_back(logged.values(event.debugEvents.first(event.firstRunDebugEvents)));
            }
            noteKind(row, event);
        }
        offsets[count] = static_cast<std::int64_t>(sample);
        return named();
    }

  private:
    static std::size_t countSamples(const Block& block) {
        std::size_t all = 0;
        for (const Event& event : block.events) {
            all += event.samples.size();
        }
        return all;
    }

    [[nodiscard]] std::size_t neededBytes() const {
        constexpr std::size_t codedColumns = 5;
        return statisticColumns.size() * paddedSize(count * sizeof(double)) +
               codedColumns * paddedSize(count * sizeof(std::int32_t)) +
               2 * paddedSize((count + 1) * sizeof(std::int64_t)) + 2 * paddedSize(samples * sizeof(double)) +
               paddedSize(count);
    }

    void setNames(std::size_t row, const Event& event) {
        name.rows[row] = name.texts.codeOf(event.name);
        identifier.rows[row] = event.delegateInt      ? isNumber
                               : event.delegateString ? identifier.texts.codeOf(*event.delegateString)
                                                      : none;
        numbers[row] = event.delegateInt.value_or(0);
        hasNumbers = hasNumbers || event.delegateInt.has_value();
        backend.rows[row] = event.backend.empty() ? none : backend.texts.codeOf(event.backend);
        delegated[row] = event.delegated;
    }

    void setTimes(std::size_t row, const Event& event) {
        offsets[row] = static_cast<std::int64_t>(sample);
        std::ranges::copy(event.samples, raw.begin() + static_cast<std::ptrdiff_t>(sample));
        // Without start times, both lists would have different lengths.
        const std::size_t known = std::min(event.startTicks.size(), event.samples.size());
        std::ranges::copy(std::span(event.startTicks).first(known),
                          starts.begin() + static_cast<std::ptrdiff_t>(sample));
        sample += event.samples.size();
        for (std::size_t i = 0; i < statisticColumns.size(); ++i) {
            statistics[i][row] = event.samples.empty() ? std::numeric_limits<double>::quiet_NaN()
                                                       : event.statistics.*statisticColumns[i].member;
        }
    }

    /// Events of the same nodes share their cells.
    std::int32_t graphCode(const Event& event) {
        if (event.nodes.empty()) {
            return none;
        }
        const auto [found, isNew] = knownGraphs.try_emplace(
            std::vector(event.nodes.begin(), event.nodes.end()), static_cast<std::int32_t>(opTypes.size()));
        if (isNew) {
            const std::vector<const etrecord::Node*> nodes = knownNodes(block, event);
            opTypes.emplace_back(opTypesCell(block, event));
            stackTraces.emplace_back(stackTracesCell(nodes));
            moduleHierarchy.emplace_back(moduleHierarchyCell(nodes));
        }
        return found->second;
    }

    /// Records the row if its cells have types that no earlier row has.
    void noteKind(std::size_t row, const Event& event) {
        // et_inspect.devtools.inspector._frames joins this many types to a text.
        constexpr std::size_t shortened = 5;
        const std::size_t kind =
            (event.samples.empty() ? 1U : 0U) | (event.startTicks.empty() ? 2U : 0U) |
            (event.delegateInt ? 4U : 0U) | (event.delegateString ? 8U : 0U) |
            (event.backend.empty() ? 16U : 0U) |
            (!event.nodes.empty() && inspector::opTypes(block, event).size() >= shortened ? 32U : 0U);
        if (!seen.test(kind)) {
            seen.set(kind);
            kinds.emplace_back(row);
        }
    }

    Dict named() {
        Dict out;
        out["event_name"] = tupleOf(std::move(name.codes), name.texts.take());
        out["delegate_debug_identifier"] = tupleOf(std::move(identifier.codes), identifier.texts.take(),
                                                   hasNumbers ? std::move(numberValues) : Value());
        out["delegate_backend_name"] = tupleOf(std::move(backend.codes), backend.texts.take());
        out["raw"] = tupleOf(offsetValues, std::move(rawValues));
        out["start_time"] = tupleOf(offsetValues, std::move(startValues));
        for (std::size_t i = 0; i < statisticColumns.size(); ++i) {
            out[statisticColumns[i].name] = std::move(statisticValues[i]);
        }
        out["op_types"] = tupleOf(graph.codes, std::move(opTypes));
        out["stack_traces"] = tupleOf(graph.codes, std::move(stackTraces));
        out["module_hierarchy"] = tupleOf(graph.codes, std::move(moduleHierarchy));
        out["is_delegated_op"] = std::move(delegatedValues);
        out["debug_data"] = tupleOf(std::move(debugData.codes), std::move(debugData.values));
        out["kinds"] = std::move(kinds);
        return out;
    }

    const Logged& logged;
    const Block& block;
    std::size_t count = block.events.size();
    std::size_t samples;
    ColumnMemory memory;
    std::array<Value, statisticColumns.size()> statisticValues;
    std::array<std::span<double>, statisticColumns.size()> statistics;
    CodedColumn name, identifier, backend, graph, debugData;
    Value numberValues, offsetValues, rawValues, startValues, delegatedValues;
    std::span<std::int64_t> numbers, offsets;
    std::span<double> raw;
    std::span<std::uint64_t> starts;
    std::span<bool> delegated;
    std::map<std::vector<etrecord::NodeIndex>, std::int32_t> knownGraphs;
    List opTypes, stackTraces, moduleHierarchy, kinds;
    std::size_t sample = 0;
    bool hasNumbers = false;
    std::bitset<64> seen;
};

}  // namespace

Dict columns(const Logged& logged, const Block& block) {
    return Columns(logged, block).build();
}

}  // namespace et::serve
