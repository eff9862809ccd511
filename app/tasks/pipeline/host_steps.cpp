#include "app/tasks/pipeline/host_steps.h"

#include "app/expression/expression.h"
#include "app/tasks/pipeline/pipeline_tensors.h"
#include "inspector/generate/sampler.h"
#include "inspector/media/sound_steps.h"
#include "inspector/numeric_gap/tensor_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using core::ScalarType;
using Tensors = std::vector<ReferenceTensor>;
using Sizes = std::vector<std::int64_t>;

Result<Tensors> one(Result<ReferenceTensor> made) {
    ET_ASSIGN(ReferenceTensor tensor, std::move(made));
    return Tensors{std::move(tensor)};
}

/// The values of a pipeline for an expression. A tensor with one element is a number.
class PipelineScope final : public expression::Scope {
  public:
    explicit PipelineScope(const ValueLookup& of) : values(of) {}

    [[nodiscard]] Result<expression::Operand> value(std::string_view name) const override {
        const ReferenceTensor* const tensor = values(name);
        if (tensor == nullptr) {
            return fail(ErrorCode::NotFound, fmt::format("no value \"{}\"", core::printable(name)));
        }
        ET_ASSIGN(std::shared_ptr<const expression::Array> array, expression::arrayOf(tensor->view));
        if (array->numbers.size() == 1) {
            return expression::Operand(array->numbers.front());
        }
        return expression::Operand(std::move(array));
    }

  private:
    const ValueLookup& values;
};

Result<Tensors> compute(const HostCall& call) {
    const HostParameters& given = call.stage.parameters;
    ET_ASSIGN(const expression::Expression parsed, expression::Expression::parse(given.expression));
    ET_ASSIGN(const expression::Operand result, parsed.evaluate(PipelineScope(call.values)));
    ET_ASSIGN(const auto array, expression::arrayOf(result));
    Sizes sizes = array->numbers.size() == 1 && array->sizes.empty() ? Sizes{1} : array->sizes;
    sizes = given.sizes.empty() ? sizes : given.sizes;
    return one(tensorOf(array->numbers, given.dtype.value_or(ScalarType::Float), sizes));
}

/// A tensor as outer x (size of a dimension) x inner bytes.
struct Blocks {
    std::size_t outer = 1;
    std::size_t count = 1;
    std::size_t inner = 1;  ///< bytes
    std::size_t dim = 0;
};

Result<Blocks> blocksOf(const ReferenceTensor& tensor, std::int64_t dim) {
    const auto rank = static_cast<std::int64_t>(tensor.view.dim());
    const std::int64_t chosen = dim < 0 ? dim + rank : dim;
    if (chosen < 0 || chosen >= rank) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected a dim of {}, got {}", core::describe(tensor.view), dim));
    }
    Blocks blocks{.inner = tensor.view.elementSize(), .dim = static_cast<std::size_t>(chosen)};
    for (std::size_t i = 0; i < tensor.view.dim(); ++i) {
        const auto size = static_cast<std::size_t>(tensor.view.size(i));
        (i < blocks.dim ? blocks.outer : (i == blocks.dim ? blocks.count : blocks.inner)) *= size;
    }
    return blocks;
}

/// Copies `count` items of a dimension, from `from` on, to the items from `to` on of another tensor.
void copyItems(const ReferenceTensor& source, const Blocks& of, std::size_t from, std::size_t count,
               const ReferenceTensor& target, const Blocks& in, std::size_t to) {
    for (std::size_t i = 0; i < of.outer && count * of.inner > 0; ++i) {
        std::memcpy(target.view.raw() + (((i * in.count) + to) * in.inner),
                    source.view.raw() + (((i * of.count) + from) * of.inner), count * of.inner);
    }
}

/// Checks that tensors differ only in the size of a dimension.
Result<> checkAlike(const ReferenceTensor& first, const ReferenceTensor& other, std::size_t dim) {
    Sizes left = sizesOf(first);
    Sizes right = sizesOf(other);
    bool isAlike = first.view.dtype() == other.view.dtype() && left.size() == right.size();
    if (isAlike) {
        left[dim] = right[dim];
        isAlike = left == right;
    }
    return isAlike ? Result<>()
                   : fail(ErrorCode::InvalidArgument,
                          fmt::format("{} and {} differ in more than the size of dim {}",
                                      core::describe(first.view), core::describe(other.view), dim));
}

Result<ReferenceTensor> joined(std::span<const ReferenceTensor> parts, std::int64_t dim) {
    ET_ASSIGN(const Blocks first, blocksOf(parts.front(), dim));
    Sizes sizes = sizesOf(parts.front());
    sizes[first.dim] = 0;
    for (const ReferenceTensor& part : parts) {
        ET_TRY(checkAlike(parts.front(), part, first.dim));
        sizes[first.dim] += part.view.size(first.dim);
    }
    ET_ASSIGN(ReferenceTensor whole, newTensor(parts.front().view.dtype(), sizes));
    ET_ASSIGN(const Blocks all, blocksOf(whole, dim));
    std::size_t at = 0;
    for (const ReferenceTensor& part : parts) {
        ET_ASSIGN(const Blocks blocks, blocksOf(part, dim));
        copyItems(part, blocks, 0, blocks.count, whole, all, at);
        at += blocks.count;
    }
    return whole;
}

Result<ReferenceTensor> part(const ReferenceTensor& whole, std::int64_t dim, std::int64_t start,
                             std::int64_t length) {
    ET_ASSIGN(const Blocks blocks, blocksOf(whole, dim));
    const auto count = static_cast<std::int64_t>(blocks.count);
    const std::int64_t begin = start < 0 && start >= -count ? start + count : start;
    if (begin < 0 || begin > count || length < 0 || length > count - begin) {
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("expected a range of {} elements, got start {} and length {}", count, start, length));
    }
    Sizes sizes = sizesOf(whole);
    sizes[blocks.dim] = length;
    ET_ASSIGN(ReferenceTensor made, newTensor(whole.view.dtype(), sizes));
    ET_ASSIGN(const Blocks into, blocksOf(made, dim));
    copyItems(whole, blocks, static_cast<std::size_t>(begin), into.count, made, into, 0);
    return made;
}

Result<std::int64_t> indexOf(const ReferenceTensor& tensor) {
    if (tensor.view.numel() != 1) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected an index, got {}", core::describe(tensor.view)));
    }
    ET_ASSIGN(const std::vector<double> numbers, inspector::numbersOf(tensor.view));
    return core::toInt64(numbers.front());
}

Result<Tensors> concatenate(const HostCall& call) {
    return one(joined(call.inputs, call.stage.parameters.dim.value_or(0)));
}

Result<Tensors> slice(const HostCall& call) {
    const HostParameters& given = call.stage.parameters;
    std::int64_t start = given.start;
    if (call.inputs.size() == 2) {
        ET_ASSIGN(start, indexOf(call.inputs[1]));
    }
    return one(part(call.inputs[0], given.dim.value_or(0), start, given.length.value_or(1)));
}

Result<Tensors> append(const HostCall& call) {
    const HostParameters& given = call.stage.parameters;
    const std::int64_t dim = given.dim.value_or(-1);
    ET_ASSIGN(ReferenceTensor whole, joined(call.inputs, dim));
    ET_ASSIGN(const Blocks blocks, blocksOf(whole, dim));
    const auto count = static_cast<std::int64_t>(blocks.count);
    if (!given.length || *given.length >= count) {
        return Tensors{std::move(whole)};
    }
    return one(part(whole, dim, count - *given.length, *given.length));
}

Result<Tensors> write(const HostCall& call) {
    const std::int64_t dim = call.stage.parameters.dim.value_or(-1);
    ET_ASSIGN(const Blocks all, blocksOf(call.inputs[0], dim));
    ET_ASSIGN(const Blocks piece, blocksOf(call.inputs[1], dim));
    ET_ASSIGN(const std::int64_t at, indexOf(call.inputs[2]));
    ET_TRY(checkAlike(call.inputs[0], call.inputs[1], all.dim));
    if (at < 0 || piece.count > all.count || static_cast<std::size_t>(at) > all.count - piece.count) {
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("expected a position for {} of {} elements, got {}", piece.count, all.count, at));
    }
    ET_ASSIGN(ReferenceTensor made, newTensor(call.inputs[0].view.dtype(), sizesOf(call.inputs[0])));
    copyItems(call.inputs[0], all, 0, all.count, made, all, 0);
    copyItems(call.inputs[1], piece, 0, piece.count, made, all, static_cast<std::size_t>(at));
    return Tensors{std::move(made)};
}

Result<Tensors> cast(const HostCall& call) {
    return one(inspector::converted(call.inputs[0].view, *call.stage.parameters.dtype));
}

Result<Tensors> reshape(const HostCall& call) {
    return one(reshaped(call.inputs[0], call.stage.parameters.sizes));
}

Result<Tensors> copy(const HostCall& call) {
    return Tensors{call.inputs[0]};
}

/// Numbers of the rows along the last dimension, and the sizes without it.
struct Rows {
    std::vector<double> numbers;
    std::size_t width = 0;
    Sizes sizes;
};

Result<Rows> rowsOf(const ReferenceTensor& tensor) {
    if (tensor.view.dim() == 0 || tensor.view.numel() == 0) {
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("expected at least one element and one dim, got {}", core::describe(tensor.view)));
    }
    ET_ASSIGN(std::vector<double> numbers, inspector::numbersOf(tensor.view));
    Sizes sizes = sizesOf(tensor);
    const auto width = static_cast<std::size_t>(sizes.back());
    sizes.pop_back();
    return Rows{.numbers = std::move(numbers), .width = width, .sizes = std::move(sizes)};
}

/// Chooses an index in each row with a sampler.
Result<Tensors> chosen(const HostCall& call, const inspector::SamplerSettings& settings) {
    ET_ASSIGN(const Rows rows, rowsOf(call.inputs[0]));
    inspector::Sampler sampler(settings, rows.width);
    std::vector<double> indices;
    std::vector<float> row(rows.width);
    for (std::size_t at = 0; at < rows.numbers.size(); at += rows.width) {
        std::ranges::transform(std::span(rows.numbers).subspan(at, rows.width), row.begin(),
                               [](double number) { return static_cast<float>(number); });
        indices.push_back(sampler.choose(row));
    }
    return one(tensorOf(indices, ScalarType::Long, rows.sizes));
}

Result<Tensors> argmax(const HostCall& call) {
    return chosen(call, {});
}

Result<Tensors> sample(const HostCall& call) {
    const HostParameters& given = call.stage.parameters;
    return chosen(call, {.temperature = given.temperature,
                         .topP = given.topP,
                         .topK = 0,
                         .seed = given.seed + call.call + 1});
}

Result<Tensors> softmax(const HostCall& call) {
    ET_ASSIGN(Rows rows, rowsOf(call.inputs[0]));
    for (std::size_t at = 0; at < rows.numbers.size(); at += rows.width) {
        const std::span row = std::span(rows.numbers).subspan(at, rows.width);
        const double most = std::ranges::max(row);
        double sum = 0;
        for (double& number : row) {
            number = std::exp(number - most);
            sum += number;
        }
        std::ranges::transform(row, row.begin(), [&](double number) { return number / sum; });
    }
    return one(tensorOf(rows.numbers, call.inputs[0].view.dtype(), sizesOf(call.inputs[0])));
}

Result<Tensors> lookUp(const HostCall& call) {
    const ReferenceTensor& table = call.inputs[0];
    if (table.view.dim() != 2) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected a table with 2 dims, got {}", core::describe(table.view)));
    }
    ET_ASSIGN(const std::vector<double> ids, inspector::numbersOf(call.inputs[1].view));
    Sizes sizes = sizesOf(call.inputs[1]);
    sizes.push_back(table.view.size(1));
    ET_ASSIGN(ReferenceTensor made, newTensor(table.view.dtype(), sizes));
    const std::size_t width = static_cast<std::size_t>(table.view.size(1)) * table.view.elementSize();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const std::int64_t id = core::toInt64(ids[i]);
        if (id < 0 || id >= table.view.size(0)) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("expected an id below {}, got {}", table.view.size(0), id));
        }
        if (width > 0) {
            std::memcpy(made.view.raw() + (i * width),
                        table.view.raw() + (static_cast<std::size_t>(id) * width), width);
        }
    }
    return Tensors{std::move(made)};
}

/// Accepts the draft's tokens up to the first that differs from the target's, and the target's next token.
Result<Tensors> accept(const HostCall& call) {
    ET_ASSIGN(const std::vector<double> draft, inspector::numbersOf(call.inputs[0].view));
    ET_ASSIGN(const std::vector<double> target, inspector::numbersOf(call.inputs[1].view));
    if (target.size() != draft.size() + 1) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected {} tokens of the target for {} of the draft, got {}",
                                draft.size() + 1, draft.size(), target.size()));
    }
    std::size_t count = 0;
    while (count < draft.size() && draft[count] == target[count]) {
        ++count;
    }
    const std::array<std::int64_t, 2> sizes{1, static_cast<std::int64_t>(count) + 1};
    ET_ASSIGN(ReferenceTensor tokens,
              tensorOf(std::span(target).first(count + 1), call.inputs[1].view.dtype(), sizes));
    const std::array number{static_cast<double>(count)};
    const std::array<std::int64_t, 1> single{1};
    ET_ASSIGN(ReferenceTensor accepted, tensorOf(number, ScalarType::Long, single));
    return Tensors{std::move(tokens), std::move(accepted)};
}

Result<Tensors> mel(const HostCall& call) {
    const HostParameters& given = call.stage.parameters;
    constexpr std::int64_t mostRate = 384'000;
    if (given.rate < 1 || given.rate > mostRate) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("rate: expected 1 to {}, got {}", mostRate, given.rate));
    }
    ET_ASSIGN(const std::vector<double> audio, inspector::numbersOf(call.inputs[0].view));
    const inspector::SoundSettings settings{.rate = static_cast<std::uint32_t>(given.rate)};
    const auto frames =
        given.frames > 0 ? given.frames : static_cast<std::int64_t>(audio.size() / settings.hop);
    inspector::Sound sound{.rate = settings.rate, .samples = {audio.begin(), audio.end()}};
    ET_ASSIGN(inspector::MediaTensor made,
              inspector::soundTensor(std::move(sound), settings, {.sizes = {1, given.bands, frames}}));
    return one(tensorFrom(std::move(made.tensor)));
}

using Key = std::string_view;
constexpr std::array<Key, 3> computeKeys{"expression", "dtype", "sizes"};
constexpr std::array<Key, 1> expressionKey{"expression"};
constexpr std::array<Key, 3> sampleKeys{"temperature", "top_p", "seed"};
constexpr std::array<Key, 1> dimKey{"dim"};
constexpr std::array<Key, 3> sliceKeys{"dim", "start", "length"};
constexpr std::array<Key, 2> appendKeys{"dim", "length"};
constexpr std::array<Key, 1> dtypeKey{"dtype"};
constexpr std::array<Key, 1> sizesKey{"sizes"};
constexpr std::array<Key, 3> melKeys{"rate", "bands", "frames"};
constexpr std::size_t manyInputs = 64;

constexpr std::array steps{
    HostStep{"compute", 0, 0, 1, computeKeys, expressionKey,
             "value of `expression` over named values; a tensor with one element is a number", &compute},
    HostStep{"argmax", 1, 1, 1, {}, {}, "index of the largest number along the last dimension", &argmax},
    HostStep{
        "sample", 1, 1, 1, sampleKeys, {}, "random index along the last dimension, from logits", &sample},
    HostStep{"softmax", 1, 1, 1, {}, {}, "softmax over the last dimension", &softmax},
    HostStep{"concatenate",
             1,
             manyInputs,
             1,
             dimKey,
             {},
             "inputs one after the other along `dim` (0)",
             &concatenate},
    HostStep{"slice",
             1,
             2,
             1,
             sliceKeys,
             {},
             "`length` (1) items along `dim` (0) from `start` (0), or from the second input",
             &slice},
    HostStep{"append",
             2,
             2,
             1,
             appendKeys,
             {},
             "the second input after the first along `dim` (-1), of which the last `length` remain",
             &append},
    HostStep{"write",
             3,
             3,
             1,
             dimKey,
             {},
             "the first input with the second at the position given by the third, along `dim` (-1)",
             &write},
    HostStep{"cast", 1, 1, 1, dtypeKey, dtypeKey, "conversion to `dtype`", &cast},
    HostStep{"reshape", 1, 1, 1, sizesKey, sizesKey, "the same elements with `sizes`, one of which may be -1",
             &reshape},
    HostStep{"copy", 1, 1, 1, {}, {}, "the input under another name", &copy},
    HostStep{"lookup",
             2,
             2,
             1,
             {},
             {},
             "rows of a table [N, D], the first input, at the ids of the second",
             &lookUp},
    HostStep{
        "accept",
        2,
        2,
        2,
        {},
        {},
        "tokens of a draft that agree with the target's tokens, plus the target's next one; their number",
        &accept},
    HostStep{
        "mel", 1, 1, 1, melKeys, {}, "log-mel spectrogram [1, bands, frames] of samples, as Whisper's", &mel},
};

}  // namespace

std::span<const HostStep> hostSteps() {
    return steps;
}

const HostStep* findHostStep(std::string_view name) {
    const auto* const found = std::ranges::find(steps, name, &HostStep::name);
    return found == steps.end() ? nullptr : found;
}

Result<std::vector<std::string>> namesIn(const std::string& expression) {
    ET_ASSIGN(const expression::Expression parsed, expression::Expression::parse(expression));
    return parsed.names();
}

Result<bool> expressionHolds(const std::string& expression, const ValueLookup& values) {
    ET_ASSIGN(const expression::Expression parsed, expression::Expression::parse(expression));
    return parsed.holds(PipelineScope(values));
}

}  // namespace et::tasks
