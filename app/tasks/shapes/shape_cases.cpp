#include "app/tasks/shapes/shape_cases.h"

#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace et::tasks {
namespace {

using core::Result;
using etrecord::SymbolValues;
using program::ShapeDynamism;

/// Up to this many symbols, all corners are tested; with more, only all smallest and all largest.
constexpr std::size_t mostCorners = 3;

constexpr std::array caseKinds{
    ShapeCaseKindInfo{"typical", true},   ShapeCaseKindInfo{"minimum", true},
    ShapeCaseKindInfo{"maximum", true},   ShapeCaseKindInfo{"inside", true},
    ShapeCaseKindInfo{"below", false},    ShapeCaseKindInfo{"beyond", false},
    ShapeCaseKindInfo{"exchange", false}, ShapeCaseKindInfo{"fixed", false},
    ShapeCaseKindInfo{"relation", false},
};

std::string valuesText(const SymbolValues& values) {
    std::string text;
    for (const auto& [name, value] : values) {
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
    }
    return text.empty() ? "as exported" : text;
}

/// Collects cases; skips duplicate sizes.
class CaseList {
  public:
    CaseList(const ShapeSpace& of, std::vector<ShapeCase>& into) : space(of), cases(into) {}

    Result<> addLegal(ShapeCaseKind place, const SymbolValues& values) {
        ET_ASSIGN(InputSizes sizes, sizesAt(space, values));
        add({.place = place, .what = valuesText(values), .values = values, .sizes = std::move(sizes)});
        return {};
    }
    /// Expressions below their range may give negative sizes, which no tensor has.
    Result<> addOutside(ShapeCaseKind place, const SymbolValues& values, std::string_view symbol) {
        ET_ASSIGN(InputSizes sizes, sizesAt(space, values));
        add({.place = place,
             .what = fmt::format("{} = {}", symbol, values.find(symbol)->second),
             .values = values,
             .sizes = std::move(sizes)});
        return {};
    }
    void add(ShapeCase made) {
        const bool isPossible = std::ranges::all_of(made.sizes, [](const std::vector<std::int64_t>& sizes) {
            return std::ranges::all_of(sizes, [](std::int64_t size) { return size >= 0; });
        });
        if (isPossible && !std::ranges::contains(cases, made.sizes, &ShapeCase::sizes)) {
            cases.push_back(std::move(made));
        }
    }

  private:
    const ShapeSpace& space;
    std::vector<ShapeCase>& cases;
};

/// Varies one symbol at a time, with typical values for the others.
Result<> addEach(const ShapeSpace& space, CaseList& list) {
    for (const ShapeSymbol& symbol : space.symbols) {
        SymbolValues values = space.typical();
        const auto at = [&](ShapeCaseKind place, std::int64_t value) -> Result<> {
            if (value < symbol.minimum || value > symbol.maximum) {
                return {};
            }
            values[symbol.name] = value;
            return list.addLegal(place, values);
        };
        ET_TRY(at(ShapeCaseKind::Minimum, symbol.minimum));
        ET_TRY(at(ShapeCaseKind::Maximum, symbol.maximum));
        ET_TRY(at(ShapeCaseKind::Inside, symbol.minimum + 1));
        ET_TRY(at(ShapeCaseKind::Inside, symbol.minimum + (symbol.maximum - symbol.minimum) / 2));
        ET_TRY(at(ShapeCaseKind::Inside, symbol.maximum - 1));
    }
    return {};
}

/// Every combination of the symbols' bounds.
Result<> addCorners(const ShapeSpace& space, CaseList& list) {
    const std::size_t count = space.symbols.size();
    if (count < 2) {
        return {};
    }
    const std::size_t corners = std::size_t{1} << std::min(count, mostCorners);
    for (std::size_t corner = 0; corner < corners; ++corner) {
        SymbolValues values;
        for (std::size_t i = 0; i < count; ++i) {
            const ShapeSymbol& symbol = space.symbols[i];
            const bool isHigh = ((corner >> std::min(i, mostCorners - 1)) & 1U) != 0;
            values[symbol.name] = isHigh ? symbol.maximum : symbol.minimum;
        }
        ET_TRY(list.addLegal((corner & 1U) != 0 ? ShapeCaseKind::Maximum : ShapeCaseKind::Minimum, values));
    }
    return {};
}

Result<> addOutside(const ShapeSpace& space, CaseList& list) {
    for (const ShapeSymbol& symbol : space.symbols) {
        SymbolValues values = space.typical();
        if (symbol.minimum > 0) {
            values[symbol.name] = symbol.minimum - 1;
            ET_TRY(list.addOutside(ShapeCaseKind::Below, values, symbol.name));
        }
        if (symbol.maximumFrom != BoundSource::None) {
            values[symbol.name] = symbol.maximum + 1;
            ET_TRY(list.addOutside(ShapeCaseKind::Beyond, values, symbol.name));
        }
    }
    return {};
}

ShapeCase changed(ShapeCaseKind place, const InputSizes& sizes, std::size_t input, std::size_t dimension,
                  std::int64_t size) {
    ShapeCase made{.place = place,
                   .what = fmt::format("input {}, dimension {}: {} instead of {}", input, dimension, size,
                                       sizes[input][dimension]),
                   .sizes = sizes};
    made.sizes[input][dimension] = size;
    return made;
}

/// Exceeds a full dimension by one and shrinks another one enough that the memory still suffices.
void addExchanges(const ShapedInput& input, std::size_t index, const InputSizes& largest, CaseList& list) {
    const auto& dimensions = input.dimensions;
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
        for (std::size_t other = 0; other < dimensions.size(); ++other) {
            const std::int64_t bound = dimensions[other].bound;
            if (i == other || bound < 2 || largest[index][i] != dimensions[i].bound) {
                continue;
            }
            ShapeCase made = changed(ShapeCaseKind::Exchange, largest, index, i, dimensions[i].bound + 1);
            made.sizes[index][other] = bound / 2;
            made.what += fmt::format(", dimension {}: {}", other, bound / 2);
            list.add(std::move(made));
            break;
        }
    }
}

/// Whether another dimension, of this or another input, depends on the symbol.
bool isRelated(const ShapeSpace& space, std::size_t input, std::size_t dimension) {
    const std::string& size = space.inputs[input].dimensions[dimension].size;
    const auto symbols = etrecord::findSymbols(size);
    for (std::size_t i = 0; i < space.inputs.size(); ++i) {
        for (std::size_t k = 0; k < space.inputs[i].dimensions.size(); ++k) {
            const auto others = etrecord::findSymbols(space.inputs[i].dimensions[k].size);
            const bool isOther = i != input || k != dimension;
            if (isOther && std::ranges::any_of(symbols, [&](const std::string& symbol) {
                    return std::ranges::contains(others, symbol);
                })) {
                return true;
            }
        }
    }
    return false;
}

Result<> addViolations(const ShapeSpace& space, CaseList& list) {
    SymbolValues atMaximum;
    for (const ShapeSymbol& each : space.symbols) {
        atMaximum[each.name] = each.maximum;
    }
    ET_ASSIGN(const InputSizes typical, sizesAt(space, space.typical()));
    ET_ASSIGN(const InputSizes largest, sizesAt(space, atMaximum));
    for (std::size_t i = 0; i < space.inputs.size(); ++i) {
        const ShapedInput& input = space.inputs[i];
        if (input.dynamism == ShapeDynamism::Static) {
            continue;
        }
        for (std::size_t k = 0; k < input.dimensions.size(); ++k) {
            const std::int64_t size = typical[i][k];
            if (size > 1 && input.dimensions[k].isFixed()) {
                list.add(changed(ShapeCaseKind::Fixed, typical, i, k, size - 1));
            } else if (size > 1 && !input.dimensions[k].isFixed() && isRelated(space, i, k)) {
                list.add(changed(ShapeCaseKind::Relation, typical, i, k, size - 1));
            }
        }
        if (input.dynamism == ShapeDynamism::Bounded) {
            addExchanges(input, i, largest, list);
        }
    }
    return {};
}

}  // namespace

const ShapeCaseKindInfo& traits(ShapeCaseKind place) {
    return caseKinds[static_cast<std::size_t>(place)];
}

std::string_view shapeVerdictName(ShapeVerdict verdict) {
    static constexpr std::array<std::string_view, 4> names{"pass", "allowed", "unchecked", "fail"};
    return names[static_cast<std::size_t>(verdict)];
}

Result<std::vector<ShapeCase>> boundCases(const ShapeSpace& space) {
    std::vector<ShapeCase> cases;
    CaseList list(space, cases);
    ET_TRY(list.addLegal(ShapeCaseKind::Typical, space.typical()));
    ET_TRY(addEach(space, list));
    ET_TRY(addCorners(space, list));
    ET_TRY(addOutside(space, list));
    ET_TRY(addViolations(space, list));
    return cases;
}

Result<std::vector<ShapeCase>> casesAlong(const ShapeSpace& space, std::string_view symbol,
                                          std::span<const std::int64_t> sizes,
                                          std::span<const ShapeCase> known) {
    std::vector<ShapeCase> all(known.begin(), known.end());
    CaseList list(space, all);
    SymbolValues values = space.typical();
    for (const std::int64_t size : sizes) {
        values.find(symbol)->second = size;
        ET_TRY(list.addLegal(ShapeCaseKind::Inside, values));
    }
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(known.size()));
    return all;
}

}  // namespace et::tasks
