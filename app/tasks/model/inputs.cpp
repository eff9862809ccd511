#include "app/tasks/model/inputs.h"

#include "app/tasks/model/element_fill.h"
#include "inspector/tensor_files/tensor_file.h"
#include "runtime/core/scalar.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using core::ScalarType;
using executor::InputValue;
using executor::TensorInput;
using inspector::HostTensor;

constexpr std::array valueChoices{
    InputChoice{"random",
                "floats from -1 to 1, bytes of any value, wider integers 0 or 1 (valid as indices)"},
    InputChoice{"ones", "all elements 1"},
    InputChoice{"zeros", "all elements 0"},
    InputChoice{"random:1x17",
                "random elements in a tensor of these sizes, for inputs of dynamic sizes; "
                "likewise ones:, zeros: and numbers, as 5:1x17"},
    InputChoice{"none", "Python's None"},
};

/// A fill, and sizes if they differ from those of the program.
struct ShapedFill {
    Fill fill = Fill::Random;
    std::vector<std::int64_t> sizes{};
    bool isSized = false;
};

/// Parses "random" or "random:1x17"; nothing for other text.
std::optional<ShapedFill> parseShapedFill(std::string_view text) {
    const std::size_t colon = text.find(':');
    const auto fill = fillOf(text.substr(0, colon));
    if (!fill || colon == std::string_view::npos) {
        return fill ? std::optional(ShapedFill{.fill = *fill}) : std::nullopt;
    }
    auto sizes = sizesOf(text.substr(colon + 1));
    return sizes ? std::optional(ShapedFill{.fill = *fill, .sizes = *std::move(sizes), .isSized = true})
                 : std::nullopt;
}

/// Collects the inputs of a method one by one.
class InputMaker {
  public:
    /// `ids`: values of the method to make; `noun`: name of such a value in messages.
    InputMaker(const program::Method& called, const std::vector<program::ValueId>& ids, std::string_view noun,
               std::uint64_t randomSeed, std::uint64_t limit)
        : method(called), slots(ids), itemName(noun), seed(randomSeed), left(limit) {}

    Result<> add(const std::string& text);
    [[nodiscard]] bool complete() const { return made.values.size() >= slots.size(); }
    [[nodiscard]] bool fits() const { return made.values.size() == slots.size(); }
    [[nodiscard]] std::size_t count() const { return made.values.size(); }
    [[nodiscard]] std::unexpected<core::Error> wrongCount(std::size_t given) const;
    InputSet take() && { return std::move(made); }

  private:
    [[nodiscard]] const program::Value& expected() const { return method.value(slots[made.values.size()]); }
    [[nodiscard]] std::unexpected<core::Error> wrong(ErrorCode code, std::string_view given) const;
    Result<> addFill(const ShapedFill& fill, const std::string& text);
    Result<> addNumber(core::Scalar number, const std::optional<std::vector<std::int64_t>>& sizes,
                       const std::string& text);
    Result<> addFile(const std::string& path);
    void orderByName(std::vector<HostTensor>& tensors) const;
    [[nodiscard]] std::string wanted() const;
    [[nodiscard]] std::uint64_t bytesToCome() const;
    /// `make` creates the elements of a tensor with this dtype and shape.
    template <class Make>
    Result<> addMadeTensor(const program::TensorInfo& info, const std::string& text, const Make& make);
    void addTensor(HostTensor tensor, const std::string& source);
    Result<HostTensor> emptyTensor(const program::TensorInfo& info, std::string_view given);

    const program::Method& method;
    const std::vector<program::ValueId>& slots;
    std::string_view itemName;
    std::uint64_t seed;
    std::uint64_t left;
    InputSet made;
};

std::unexpected<core::Error> InputMaker::wrong(ErrorCode code, std::string_view given) const {
    return fail(code, fmt::format("expected {}, got {}", describe(expected()), given),
                {.file = {}, .field = fmt::format("{}s[{}]", itemName, made.values.size()), .offset = {}});
}

std::string InputMaker::wanted() const {
    std::vector<std::string> takes;
    for (const program::ValueId id : slots) {
        takes.push_back(describe(method.value(id)));
    }
    return fmt::format("expected {} {}{}{}{}", takes.size(), itemName, takes.size() == 1 ? "" : "s",
                       takes.empty() ? "" : ": ", fmt::join(takes, ", "));
}

std::unexpected<core::Error> InputMaker::wrongCount(std::size_t given) const {
    return fail(ErrorCode::InvalidArgument, fmt::format("{}, got {}", wanted(), given));
}

Result<> InputMaker::add(const std::string& text) {
    if (const auto fill = parseShapedFill(text)) {
        return addFill(*fill, text);
    }
    if (text == "none" || text == "None") {
        made.values.emplace_back();
        made.sources.push_back(text);
        return {};
    }
    const std::size_t colon = text.rfind(':');
    const auto sizes = colon == std::string::npos ? std::nullopt : sizesOf(text.substr(colon + 1));
    if (const auto number = numberOf(sizes ? text.substr(0, colon) : text)) {
        return addNumber(*number, sizes, text);
    }
    return addFile(text);
}

Result<HostTensor> InputMaker::emptyTensor(const program::TensorInfo& info, std::string_view given) {
    const auto bytes = core::tensorBytes(info.scalarType, info.sizes);
    if (!bytes || static_cast<std::uint64_t>(*bytes) > left) {
        return wrong(ErrorCode::Limit, fmt::format("{} and {} bytes of space", given, left));
    }
    left -= static_cast<std::uint64_t>(*bytes);
    HostTensor tensor{.dtype = static_cast<ScalarType>(info.scalarType),
                      .sizes = info.sizes,
                      .dimOrder = info.dimOrder,
                      .data = {}};
    tensor.data.resize(static_cast<std::size_t>(*bytes));
    return tensor;
}

template <class Make>
Result<> InputMaker::addMadeTensor(const program::TensorInfo& info, const std::string& text,
                                   const Make& make) {
    const auto type = static_cast<ScalarType>(info.scalarType);
    const ElementFill* const element = elementFill(type);
    if (element == nullptr) {
        return wrong(ErrorCode::Unsupported, text);
    }
    ET_ASSIGN(HostTensor tensor, emptyTensor(info, text));
    make(*element, tensor);
    addTensor(std::move(tensor), text);
    return {};
}

Result<> InputMaker::addFill(const ShapedFill& fill, const std::string& text) {
    const program::Value& value = expected();
    if (const auto* info = value.as<program::TensorInfo>()) {
        program::TensorInfo shaped = *info;
        if (fill.isSized && fill.sizes.size() != info->sizes.size()) {
            return wrong(ErrorCode::InvalidArgument, text);
        }
        if (fill.isSized) {
            shaped.sizes = fill.sizes;
        }
        return addMadeTensor(shaped, text, [&](const ElementFill& element, HostTensor& tensor) {
            element.fill(tensor, fill.fill, seed + made.values.size());
        });
    }
    if (fill.isSized) {
        return wrong(ErrorCode::InvalidArgument, text);
    }
    // A number is fixed in the program, so only that value is accepted.
    if (const auto* whole = value.as<std::int64_t>()) {
        made.values.emplace_back(*whole);
    } else if (const auto* number = value.as<double>()) {
        made.values.emplace_back(*number);
    } else if (const auto* truth = value.as<bool>()) {
        made.values.emplace_back(*truth);
    } else {
        made.values.emplace_back();
    }
    made.sources.emplace_back("exported");
    return {};
}

Result<> InputMaker::addNumber(core::Scalar number, const std::optional<std::vector<std::int64_t>>& sizes,
                               const std::string& text) {
    const program::Value& value = expected();
    const auto* const info = value.as<program::TensorInfo>();
    if (sizes && (info == nullptr || sizes->size() != info->sizes.size())) {
        return wrong(ErrorCode::InvalidArgument, text);
    }
    if (info != nullptr) {
        program::TensorInfo shaped = *info;
        shaped.sizes = sizes.value_or(info->sizes);
        return addMadeTensor(shaped, text, [&](const ElementFill& element, HostTensor& tensor) {
            element.set(tensor, number);
        });
    }
    const bool isDouble = value.is<double>();
    if (number.isBool() && !isDouble) {
        made.values.emplace_back(number.to<bool>());
    } else if (number.isInt() && !isDouble) {
        made.values.emplace_back(number.to<std::int64_t>());
    } else {
        made.values.emplace_back(number.to<double>());
    }
    made.sources.push_back(text);
    return {};
}

/// Maximum bytes of a stream: the remaining tensors and the overhead of the file format.
std::uint64_t InputMaker::bytesToCome() const {
    std::uint64_t sum = std::uint64_t{1} << 20U;
    for (std::size_t i = made.values.size(); i < slots.size(); ++i) {
        if (const auto* info = method.value(slots[i]).as<program::TensorInfo>()) {
            sum += static_cast<std::uint64_t>(core::tensorBytes(info->scalarType, info->sizes).value_or(0));
        }
    }
    return std::min(sum, left);
}

Result<> InputMaker::addFile(const std::string& path) {
    std::optional<inspector::RawLayout> raw;
    if (const auto* info = expected().as<program::TensorInfo>()) {
        raw = {.dtype = static_cast<ScalarType>(info->scalarType),
               .sizes = info->sizes,
               .dimOrder = info->dimOrder};
    }
    ET_ASSIGN(std::vector<HostTensor> tensors, inspector::readTensorFile(path, raw, left, bytesToCome()));
    if (tensors.size() > 1) {
        orderByName(tensors);
    }
    if (tensors.size() > slots.size() - made.values.size()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{}, got {}: {}", wanted(), tensors.size(), describe(tensors)),
                    {.file = path, .field = {}, .offset = {}});
    }
    for (HostTensor& tensor : tensors) {
        left -= tensor.data.size();
        const std::string source = tensor.name.empty() ? path : fmt::format("{}: {}", path, tensor.name);
        addTensor(std::move(tensor), source);
    }
    return {};
}

/// Selects the tensors named as the remaining inputs, in their order. Changes nothing if one is missing.
void InputMaker::orderByName(std::vector<HostTensor>& tensors) const {
    std::vector<HostTensor> ordered;
    for (std::size_t i = made.values.size(); i < slots.size(); ++i) {
        const auto* info = method.value(slots[i]).as<program::TensorInfo>();
        const auto named = info == nullptr || info->name.empty()
                               ? tensors.end()
                               : std::ranges::find(tensors, info->name, &HostTensor::name);
        if (named == tensors.end()) {
            return;
        }
        ordered.push_back(*named);
    }
    tensors = std::move(ordered);
}

void InputMaker::addTensor(HostTensor tensor, const std::string& source) {
    const HostTensor& kept = made.owned.emplace_back(std::move(tensor));
    made.values.emplace_back(
        TensorInput{.dtype = kept.dtype, .sizes = kept.sizes, .dimOrder = kept.dimOrder, .data = kept.data});
    made.sources.push_back(source);
}

struct BundledInput {
    InputValue operator()(std::monostate) const { return {}; }
    InputValue operator()(const bundled_program::BundledTensor& tensor) const {
        return TensorInput{.dtype = static_cast<ScalarType>(tensor.scalarType),
                           .sizes = tensor.sizes,
                           .dimOrder = tensor.dimOrder,
                           .data = tensor.data};
    }
    template <class T>
    InputValue operator()(T number) const {
        return number;
    }
};

Result<InputSet> makeAll(InputMaker maker, std::span<const std::string> values) {
    if (values.size() == 1 && fillOf(values.front())) {
        while (!maker.complete()) {
            ET_TRY(maker.add(values.front()));
        }
        return std::move(maker).take();
    }
    for (const std::string& value : values) {
        if (maker.complete()) {
            return maker.wrongCount(values.size());
        }
        ET_TRY(maker.add(value));
    }
    if (!maker.fits()) {
        return maker.wrongCount(maker.count());
    }
    return std::move(maker).take();
}

}  // namespace

std::span<const InputChoice> inputChoices() {
    return valueChoices;
}

std::optional<std::vector<std::int64_t>> sizesOf(std::string_view text) {
    std::vector<std::int64_t> sizes;
    while (!text.empty()) {
        std::int64_t size = 0;
        const char* const first = text.data();
        const char* const last = first + text.size();
        const auto [end, error] = std::from_chars(first, last, size);
        if (error != std::errc{} || size < 0 || (end != last && (*end != 'x' || end + 1 == last))) {
            return {};
        }
        sizes.push_back(size);
        text.remove_prefix(static_cast<std::size_t>(end - first) + (end == last ? 0 : 1));
    }
    return sizes;
}

std::string sizesWord(std::span<const std::int64_t> sizes) {
    return fmt::format("{}", fmt::join(sizes, "x"));
}

std::string describe(const program::Value& value) {
    if (const auto* tensor = value.as<program::TensorInfo>()) {
        return fmt::format("{} {}", core::scalarTypeName(tensor->scalarType), core::sizesText(tensor->sizes));
    }
    return std::string(program::valueTypeName(value));
}

std::string describe(std::span<const HostTensor> tensors) {
    constexpr std::size_t most = 8;
    std::vector<std::string> all;
    for (const HostTensor& each : tensors.first(std::min(most, tensors.size()))) {
        all.push_back(fmt::format("{}{}{} {}", core::printable(each.name), each.name.empty() ? "" : ": ",
                                  core::scalarTypeName(each.dtype), core::sizesText(each.sizes)));
    }
    return fmt::format("{}{}", fmt::join(all, ", "), tensors.size() > most ? ", ..." : "");
}

core::Result<> InputSet::give(executor::Method& method) const {
    if (!bundle.empty() && values.size() != method.inputCount()) {
        return fail(ErrorCode::Format,
                    fmt::format("expected {} inputs, got {}", method.inputCount(), values.size()),
                    {.file = bundle, .field = {}, .offset = {}});
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        auto set = method.setInput(i, values[i]);
        if (!set && bundle.empty()) {
            return std::unexpected(std::move(set).error().in(sources[i]));
        }
        if (!set) {
            core::Error error = std::move(set).error();
            error.code = ErrorCode::Format;
            error.where.field = fmt::format("{}: {}", sources[i], error.where.field);
            return std::unexpected(std::move(error).in(bundle));
        }
    }
    return {};
}

core::Result<InputSet> makeInputs(const program::Method& method, std::span<const std::string> values,
                                  std::uint64_t seed, std::uint64_t maxBytes) {
    return makeAll(InputMaker(method, method.inputs, "input", seed, maxBytes), values);
}

core::Result<InputSet> makeOutputs(const program::Method& method, std::span<const std::string> values,
                                   std::uint64_t maxBytes) {
    return makeAll(InputMaker(method, method.outputs, "output", 0, maxBytes), values);
}

core::Result<InputSet> bundledInputs(const bundled_program::Bundle& bundle, std::string_view method,
                                     std::size_t testCase) {
    const bundled_program::TestSuite* suite = bundle.findSuite(method);
    const std::size_t cases = suite == nullptr ? 0 : suite->cases.size();
    if (testCase >= cases) {
        return fail(
            ErrorCode::NotFound,
            fmt::format("no case {} of method \"{}\" in the bundle, which has {}", testCase, method, cases),
            {.file = bundle.file->name(), .field = {}, .offset = {}});
    }
    InputSet made;
    made.bundle = bundle.file->name();
    for (const bundled_program::BundledValue& value : suite->cases[testCase].inputs) {
        made.values.push_back(std::visit(BundledInput{}, value));
        made.sources.push_back(fmt::format("case {}", testCase));
    }
    return made;
}

core::Result<std::deque<InputSet>> caseInputs(const bundled_program::Bundle* bundle, std::string_view method,
                                              std::size_t most) {
    std::deque<InputSet> sets;
    const auto* const suite = bundle == nullptr ? nullptr : bundle->findSuite(method);
    const std::size_t cases = suite == nullptr ? 0 : std::min(suite->cases.size(), most);
    for (std::size_t i = 0; i < cases; ++i) {
        ET_ASSIGN(InputSet set, bundledInputs(*bundle, method, i));
        sets.push_back(std::move(set));
    }
    return sets;
}

core::Result<InputSet> randomInputs(const program::Method& method, std::uint64_t seed,
                                    std::uint64_t maxBytes) {
    return makeInputs(method, std::vector<std::string>{"random"}, seed, maxBytes);
}

}  // namespace et::tasks
