#include "app/expression/array.h"

#include "runtime/core/element_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace et::expression {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Appends all elements in row-major order.
template <class T>
void appendElements(std::vector<double>& into, const core::Tensor& tensor) {
    const T* const data = tensor.data<T>();
    const auto count = static_cast<std::size_t>(tensor.numel());
    if (tensor.isContiguous()) {
        for (std::size_t i = 0; i < count; ++i) {
            into.push_back(static_cast<double>(data[i]));
        }
        return;
    }
    std::vector<std::int64_t> at(tensor.dim(), 0);
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < count; ++i) {
        into.push_back(static_cast<double>(data[offset]));
        for (std::size_t d = tensor.dim(); d-- > 0;) {
            offset += tensor.stride(d);
            if (++at[d] < tensor.size(d)) {
                break;
            }
            offset -= tensor.stride(d) * tensor.size(d);
            at[d] = 0;
        }
    }
}

Result<std::optional<std::int64_t>> parseBound(std::string_view text) {
    if (text.empty()) {
        return std::optional<std::int64_t>();
    }
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
    if (error != std::errc{} || end != text.end()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected an index in a slice, got '{}'", core::printable(text)));
    }
    return std::optional(number);
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// A range as first element and count.
struct Span {
    std::size_t begin = 0;
    std::size_t count = 0;
};

Result<Span> spanOf(const Range& range, std::int64_t size) {
    const auto place = [size](std::int64_t index) { return index < 0 ? index + size : index; };
    if (range.isIndex) {
        const std::int64_t index = place(range.begin.value_or(0));
        if (index < 0 || index >= size) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("index {} is outside of a dimension of size {}", *range.begin, size));
        }
        return Span{.begin = static_cast<std::size_t>(index), .count = 1};
    }
    const std::int64_t begin = std::clamp<std::int64_t>(place(range.begin.value_or(0)), 0, size);
    const std::int64_t end = std::clamp<std::int64_t>(place(range.end.value_or(size)), begin, size);
    return Span{.begin = static_cast<std::size_t>(begin), .count = static_cast<std::size_t>(end - begin)};
}

Result<std::vector<Span>> spansOf(const std::vector<std::int64_t>& sizes, const std::vector<Range>& ranges) {
    if (ranges.size() > sizes.size()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("a slice of {} dimensions does not fit a tensor of {}", ranges.size(),
                                core::sizesText(sizes)));
    }
    std::vector<Span> spans;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        ET_ASSIGN(const Span span, spanOf(d < ranges.size() ? ranges[d] : Range{}, sizes[d]));
        spans.push_back(span);
    }
    return spans;
}

}  // namespace

Result<std::shared_ptr<const Array>> arrayOf(const core::Tensor& tensor) {
    const auto count = static_cast<std::uint64_t>(tensor.numel());
    if (count > maxElements) {
        return fail(ErrorCode::Limit,
                    fmt::format("{} elements are more than an expression reads ({})", count, maxElements));
    }
    auto array = std::make_shared<Array>();
    array->dtype = tensor.dtype();
    array->sizes.assign(tensor.sizes().begin(), tensor.sizes().end());
    array->numbers.reserve(count);
    const bool known = core::visitRealType(
        tensor.dtype(),
        [&]<class T>(std::type_identity<T>) {
            appendElements<T>(array->numbers, tensor);
            return true;
        },
        [] { return false; });
    if (!known) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("expressions do not read {}", core::scalarTypeName(tensor.dtype())));
    }
    return array;
}

Result<Operand> operandOf(const core::Value& value) {
    if (const auto* const tensor = value.as<core::Tensor>()) {
        return arrayOf(*tensor).transform([](auto array) { return Operand(std::move(array)); });
    }
    if (const auto* const whole = value.as<std::int64_t>()) {
        return Operand(static_cast<double>(*whole));
    }
    if (const auto* const number = value.as<double>()) {
        return Operand(*number);
    }
    if (const auto* const truth = value.as<bool>()) {
        return Operand(*truth);
    }
    return fail(ErrorCode::Unsupported, "expressions read tensors and numbers only");
}

std::optional<std::size_t> elementIndex(std::string_view name, std::string_view prefix) {
    if (!name.starts_with(prefix)) {
        return std::nullopt;
    }
    const std::string_view digits = name.substr(prefix.size());
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
    const bool isNumber = error == std::errc{} && end == digits.end();
    return digits.empty() || isNumber ? std::optional(number) : std::nullopt;
}

Result<Operand> namedElement(std::string_view name, std::string_view prefix, std::size_t count,
                             const std::function<Result<Operand>(std::size_t)>& at) {
    const auto index = elementIndex(name, prefix);
    if (!index) {
        return fail(ErrorCode::NotFound, fmt::format("no value '{}'", core::printable(name)));
    }
    if (*index >= count) {
        return fail(ErrorCode::NotFound, fmt::format("no value '{}': there {} {}", core::printable(name),
                                                     count == 1 ? "is" : "are", count));
    }
    if (name != prefix || count == 1) {
        return at(*index);
    }
    auto all = std::make_shared<Array>();
    for (std::size_t i = 0; i < count; ++i) {
        ET_ASSIGN(const Operand value, at(i));
        ET_ASSIGN(const auto array, arrayOf(value));
        if (all->numbers.size() + array->numbers.size() > maxElements) {
            return fail(ErrorCode::Limit, fmt::format("'{}' has more than {} elements", name, maxElements));
        }
        all->dtype = array->dtype;
        all->numbers.insert(all->numbers.end(), array->numbers.begin(), array->numbers.end());
    }
    all->sizes = {static_cast<std::int64_t>(all->numbers.size())};
    return Operand(std::shared_ptr<const Array>(std::move(all)));
}

Result<std::shared_ptr<const Array>> arrayOf(const Operand& value) {
    if (const auto* const array = std::get_if<std::shared_ptr<const Array>>(&value)) {
        return *array;
    }
    auto single = std::make_shared<Array>();
    if (const auto* const number = std::get_if<double>(&value)) {
        single->numbers = {*number};
    } else if (const auto* const truth = std::get_if<bool>(&value)) {
        single->numbers = {*truth ? 1.0 : 0.0};
        single->dtype = core::ScalarType::Bool;
    } else {
        return fail(ErrorCode::InvalidArgument, fmt::format("expected numbers, got the text '{}'",
                                                            core::printable(std::get<std::string>(value))));
    }
    return std::shared_ptr<const Array>(std::move(single));
}

Result<std::vector<Range>> parseSlice(std::string_view text) {
    constexpr std::size_t maxRanges = 16;
    if (text.size() < 2 || text.front() != '[' || text.back() != ']') {
        return fail(ErrorCode::InvalidArgument, "expected a slice such as [0, 1:3]");
    }
    text = text.substr(1, text.size() - 2);
    std::vector<Range> ranges;
    while (true) {
        if (ranges.size() == maxRanges) {
            return fail(ErrorCode::Limit, fmt::format("a slice has at most {} dimensions", maxRanges));
        }
        const std::size_t comma = std::min(text.find(','), text.size());
        const std::string_view part = trimmed(text.substr(0, comma));
        const std::size_t colon = part.find(':');
        Range range{.begin = {}, .end = {}, .isIndex = colon == std::string_view::npos};
        ET_ASSIGN(range.begin, parseBound(trimmed(part.substr(0, colon))));
        if (!range.isIndex) {
            ET_ASSIGN(range.end, parseBound(trimmed(part.substr(colon + 1))));
        } else if (!range.begin) {
            return fail(ErrorCode::InvalidArgument, "expected an index or a range in a slice");
        }
        ranges.push_back(range);
        if (comma == text.size()) {
            return ranges;
        }
        text.remove_prefix(comma + 1);
    }
}

Result<std::vector<std::size_t>> slicePositions(const std::vector<std::int64_t>& sizes,
                                                const std::vector<Range>& ranges) {
    ET_ASSIGN(const std::vector<Span> spans, spansOf(sizes, ranges));
    std::vector<std::size_t> positions{0};
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        std::vector<std::size_t> next;
        next.reserve(positions.size() * spans[d].count);
        for (const std::size_t each : positions) {
            for (std::size_t i = 0; i < spans[d].count; ++i) {
                next.push_back(each * static_cast<std::size_t>(sizes[d]) + spans[d].begin + i);
            }
        }
        positions = std::move(next);
    }
    return positions;
}

Result<Array> sliced(const Array& array, const std::vector<Range>& ranges) {
    ET_ASSIGN(const std::vector<std::size_t> positions, slicePositions(array.sizes, ranges));
    ET_ASSIGN(const std::vector<Span> spans, spansOf(array.sizes, ranges));
    Array part{.dtype = array.dtype, .sizes = {}, .numbers = {}};
    for (std::size_t d = 0; d < spans.size(); ++d) {
        if (d >= ranges.size() || !ranges[d].isIndex) {
            part.sizes.push_back(static_cast<std::int64_t>(spans[d].count));
        }
    }
    part.numbers.reserve(positions.size());
    for (const std::size_t each : positions) {
        if (each >= array.numbers.size()) {
            return fail(ErrorCode::InvalidArgument, "the sizes of a value do not fit its elements");
        }
        part.numbers.push_back(array.numbers[each]);
    }
    return part;
}

std::string numberText(double number) {
    return std::isnan(number) ? "nan" : fmt::format("{:.6g}", number);
}

}  // namespace et::expression
