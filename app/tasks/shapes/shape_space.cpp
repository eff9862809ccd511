#include "app/tasks/shapes/shape_space.h"

#include "inspector/numeric_gap/reference_values.h"
#include "inspector/session/record_check.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::ExportedGraph;
using etrecord::SymbolValues;
using program::ShapeDynamism;

/// Maximum of a size that neither the file nor the record bounds.
constexpr std::int64_t endOfUnbounded = 1024;

std::string sizeText(const etrecord::SymInt& size) {
    return size.expression.empty() ? std::to_string(size.value) : size.expression;
}

std::vector<ShapedInput> inputsOf(const program::Method& method) {
    std::vector<ShapedInput> inputs;
    for (const program::ValueId id : method.inputs) {
        ShapedInput input;
        if (const auto* info = method.value(id).as<program::TensorInfo>()) {
            input.isTensor = true;
            input.scalarType = info->scalarType;
            input.dynamism = info->dynamism;
            for (const std::int64_t size : info->sizes) {
                input.dimensions.push_back({.size = std::to_string(size), .bound = size});
            }
        }
        inputs.push_back(std::move(input));
    }
    return inputs;
}

std::vector<std::string> outputsOf(const program::Method& method) {
    std::vector<std::string> outputs;
    for (const program::ValueId id : method.outputs) {
        const program::Value& value = method.value(id);
        const auto* info = value.as<program::TensorInfo>();
        outputs.push_back(info == nullptr ? std::string(program::valueTypeName(value))
                                          : fmt::format("{} [{}]", core::scalarTypeName(info->scalarType),
                                                        fmt::join(info->sizes, ", ")));
    }
    return outputs;
}

/// Reads the symbolic sizes of a record's graph into the space of its program.
class RecordSpace {
  public:
    RecordSpace(const ExportedGraph& of, const ExportedGraph* from, ShapeSpace& into)
        : graph(of), exported(from), space(into) {}

    Result<> read() {
        ET_TRY(readInputs());
        readOutputs();
        return findBounds();
    }

  private:
    Result<> readInputs() {
        std::size_t index = 0;
        for (const etrecord::InputSpec& spec : graph.inputSpecs) {
            if (inspector::isUserInput(spec) && index < space.inputs.size()) {
                ET_TRY(readInput(spec, space.inputs[index]));
            }
            index += inspector::isUserInput(spec) ? 1 : 0;
        }
        if (index != space.inputs.size()) {
            return fail(
                ErrorCode::InvalidArgument,
                fmt::format("the program has {} inputs, the record's graph {}", space.inputs.size(), index));
        }
        return {};
    }

    Result<> readInput(const etrecord::InputSpec& spec, ShapedInput& input) {
        const auto meta = graph.tensors.find(spec.value);
        input.name = spec.value;
        if (!input.isTensor || meta == graph.tensors.end()) {
            return {};
        }
        const std::vector<etrecord::SymInt>& sizes = meta->second.sizes;
        if (sizes.size() != input.dimensions.size()) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("input \"{}\" has {} dimensions in the program, {} in the record",
                                    core::printable(spec.value), input.dimensions.size(), sizes.size()));
        }
        for (std::size_t i = 0; i < sizes.size() && input.dynamism != ShapeDynamism::Static; ++i) {
            input.dimensions[i].size = sizeText(sizes[i]);
            for (const std::string& symbol : etrecord::findSymbols(sizes[i].expression)) {
                addSymbol(symbol, sizes[i]);
            }
        }
        return {};
    }

    void addSymbol(const std::string& name, const etrecord::SymInt& seen) {
        const bool isItself = seen.expression == name;
        const auto known = std::ranges::find(space.symbols, name, &ShapeSymbol::name);
        if (known != space.symbols.end()) {
            known->typical = isItself ? seen.value : known->typical;
            return;
        }
        space.symbols.push_back({.name = name, .typical = isItself ? seen.value : 0});
    }

    void readOutputs() {
        std::vector<std::string> outputs;
        for (const etrecord::OutputSpec& spec : graph.outputSpecs) {
            const auto meta = graph.tensors.find(spec.value);
            if (spec.kind != "user_output" || meta == graph.tensors.end()) {
                continue;
            }
            std::vector<std::string> sizes;
            std::ranges::transform(meta->second.sizes, std::back_inserter(sizes), sizeText);
            outputs.push_back(fmt::format("{} [{}]", core::scalarTypeName(meta->second.scalarType),
                                          fmt::join(sizes, ", ")));
        }
        if (outputs.size() == space.outputs.size()) {
            space.outputs = std::move(outputs);
        }
    }

    /// The exported program contains the user's range; the Edge graph's range may be narrowed by assumptions
    /// of its passes (sizes of at least 2).
    [[nodiscard]] const etrecord::RangeConstraint* rangeOf(std::string_view symbol) const {
        for (const ExportedGraph* each : {exported, &graph}) {
            if (each == nullptr) {
                continue;
            }
            if (const auto found = each->rangeConstraints.find(symbol);
                found != each->rangeConstraints.end()) {
                return &found->second;
            }
        }
        return nullptr;
    }

    Result<> findBounds() {
        constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
        for (ShapeSymbol& symbol : space.symbols) {
            const etrecord::RangeConstraint* const range = rangeOf(symbol.name);
            // Export writes 0 if no bound was given, but still assumes that no size is 0.
            const bool hasMinimum = range != nullptr && range->minimum.value_or(0) > 0;
            symbol.minimum = hasMinimum ? *range->minimum : 1;
            symbol.minimumFrom = hasMinimum ? BoundSource::Record : BoundSource::None;
            symbol.maximum = range == nullptr ? most : std::min(range->maximum.value_or(most), most);
            symbol.maximumFrom = symbol.maximum < most ? BoundSource::Record : BoundSource::None;
        }
        for (ShapeSymbol& symbol : space.symbols) {
            ET_TRY(fitToProgram(symbol));
            if (symbol.minimum > symbol.maximum) {
                return fail(ErrorCode::InvalidArgument,
                            fmt::format("no size of {} is legal: it must be at least {} and at most {}",
                                        core::printable(symbol.name), symbol.minimum, symbol.maximum));
            }
        }
        for (ShapeSymbol& symbol : space.symbols) {
            const bool isTypicalLegal = symbol.typical >= symbol.minimum && symbol.typical <= symbol.maximum;
            symbol.typical = isTypicalLegal ? symbol.typical : symbol.maximum;
        }
        return {};
    }

    /// Whether the memory planned in the file suffices for these values.
    [[nodiscard]] Result<bool> fits(const SymbolValues& values) const {
        for (const ShapedInput& input : space.inputs) {
            for (const ShapeDimension& dimension : input.dimensions) {
                const auto size = etrecord::evaluateSize(dimension.size, values);
                if (!size && size.error().code != ErrorCode::Limit) {
                    return std::unexpected(size.error());
                }
                if (!size || (input.dynamism != ShapeDynamism::Unbounded && *size > dimension.bound)) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Finds the largest value that the planned memory allows, with the others at their minimum.
    Result<> fitToProgram(ShapeSymbol& symbol) {
        SymbolValues values;
        for (const ShapeSymbol& each : space.symbols) {
            values[each.name] = each.minimum;
        }
        std::int64_t low = symbol.minimum;
        std::int64_t high = symbol.maximum;
        while (low < high) {
            const std::int64_t middle = low + (high - low + 1) / 2;
            values[symbol.name] = middle;
            ET_ASSIGN(const bool hasRoom, fits(values));
            (hasRoom ? low : high) = hasRoom ? middle : middle - 1;
        }
        values[symbol.name] = low;
        ET_ASSIGN(const bool hasRoom, fits(values));
        low -= hasRoom ? 0 : 1;
        if (low < symbol.maximum) {
            symbol.maximum = low;
            symbol.maximumFrom = BoundSource::Program;
        } else if (symbol.maximumFrom == BoundSource::Record) {
            values[symbol.name] = symbol.maximum + 1;
            ET_ASSIGN(const bool hasMore, fits(values));
            symbol.maximumFrom = hasMore ? BoundSource::Record : BoundSource::Program;
        } else {
            symbol.maximum = std::max(symbol.minimum, endOfUnbounded);
        }
        return {};
    }

    const ExportedGraph& graph;
    const ExportedGraph* exported;
    ShapeSpace& space;
};

/// Gives each dimension its own symbol; probing finds which are related.
void addOwnSymbols(ShapeSpace& space) {
    for (ShapedInput& input : space.inputs) {
        for (ShapeDimension& dimension : input.dimensions) {
            if (input.dynamism == ShapeDynamism::Static || dimension.bound < 2) {
                continue;
            }
            const std::string name = fmt::format("d{}", space.symbols.size());
            space.symbols.push_back(
                {.name = name, .minimum = 1, .maximum = dimension.bound, .typical = dimension.bound});
            dimension.size = name;
        }
    }
}

}  // namespace

std::string_view boundSourceName(BoundSource source) {
    static constexpr std::array<std::string_view, 4> names{"program", "record", "probe", "none"};
    return names[static_cast<std::size_t>(source)];
}

const ShapeSymbol* ShapeSpace::find(std::string_view symbol) const {
    const auto found = std::ranges::find(symbols, symbol, &ShapeSymbol::name);
    return found == symbols.end() ? nullptr : &*found;
}

SymbolValues ShapeSpace::typical() const {
    SymbolValues values;
    for (const ShapeSymbol& each : symbols) {
        values[each.name] = each.typical;
    }
    return values;
}

Result<ShapeSpace> shapeSpace(const program::Method& method, const etrecord::Record* record) {
    ShapeSpace space{.method = std::string(method.name)};
    space.inputs = inputsOf(method);
    space.outputs = outputsOf(method);
    const ExportedGraph* const graph = record == nullptr ? nullptr : record->edgeGraph(method.name);
    if (graph == nullptr) {
        addOwnSymbols(space);
        return space;
    }
    if (auto wrong = inspector::contradiction(*record, method)) {
        return fail(ErrorCode::InvalidArgument, *std::move(wrong), {.file = record->file().name()});
    }
    space.fromRecord = true;
    const ExportedGraph* exported = nullptr;
    if (method.name == "forward") {  // the format stores only this method
        ET_ASSIGN(exported, record->exportedProgram());
    }
    if (auto read = RecordSpace(*graph, exported, space).read(); !read) {
        return std::unexpected(std::move(read).error().in(record->file().name()));
    }
    return space;
}

Result<InputSizes> sizesAt(const ShapeSpace& space, const SymbolValues& values) {
    InputSizes all;
    for (const ShapedInput& input : space.inputs) {
        std::vector<std::int64_t>& sizes = all.emplace_back();
        for (const ShapeDimension& dimension : input.dimensions) {
            ET_ASSIGN(const std::int64_t size, etrecord::evaluateSize(dimension.size, values));
            sizes.push_back(size);
        }
    }
    return all;
}

}  // namespace et::tasks
