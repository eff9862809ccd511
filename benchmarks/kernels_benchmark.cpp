// Benchmark of dense operators on one thread: the convolutions of MobileNetV2 by kind and in total, and
// matrix products. `time_of_xnnpack` is our time divided by that of XNNPACK's operator on channels-last data
// with packed weights, which needs no transposes.
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/dense/float_convolution.h"
#include "runtime/kernels/dense/xnn_linear.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <limits>
#include <string>

namespace {

using namespace et::kernels;
using et::core::Tensor;
using et::core::Value;
using Shape = std::vector<std::int64_t>;

void orDie(const et::core::Result<>& result) {
    if (!result) {
        std::cerr << result.error().toString() << '\n';
        std::exit(1);
    }
}

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Minimum time of a call in seconds, measured over some milliseconds.
template <class Function>
double minTime(Function&& function) {
    constexpr double enough = 0.02;
    double min = std::numeric_limits<double>::infinity();
    function();
    for (const double start = now(); now() - start < enough;) {
        const double begin = now();
        function();
        min = std::min(min, now() - begin);
    }
    return min;
}

/// An operator with its arguments, run on one thread.
class Instruction {
  public:
    /// Appends a float tensor of random numbers.
    Tensor& tensor(const Shape& sizes, bool isConstant = false) {
        auto made = Tensor::make(et::core::ScalarType::Float, sizes, nullptr);
        memory.emplace_back(static_cast<std::size_t>(made->numel()) + 16);
        for (float& number : memory.back()) {
            number = static_cast<float>(static_cast<int>(random() % 17) - 8) / 8.0F;
        }
        made->setMemory(reinterpret_cast<std::byte*>(memory.back().data()), made->bytes());
        made->setConstant(isConstant);
        return *add(*made).as<Tensor>();
    }
    Value& add(Value::Kind content) {
        values.emplace_back(std::move(content));
        arguments.push_back(&values.back());
        return values.back();
    }
    void ints(const Shape& numbers) {
        et::core::IntListValue list;
        for (const std::int64_t number : numbers) {
            items.emplace_back(Value::Kind(number));
            list.items.push_back(&items.back());
            list.numbers.push_back(number);
        }
        add(std::move(list));
    }
    void prepare(std::string_view name) {
        entry = builtin().find(name);
        if (entry == nullptr) {
            std::cerr << "no operator " << name << '\n';
            std::exit(1);
        }
        context.bind(state);
        if (entry->prepare) {
            orDie(entry->prepare.call(context, arguments));
        }
        scratch.release();
    }
    void run() {
        orDie(entry->kernel.call(context, arguments));
        scratch.release();
    }
    KernelContext& forLibrary() { return context; }
    void release() { scratch.release(); }

  private:
    ThreadPool threads;
    ScratchMemory scratch{std::uint64_t{1} << 30};
    std::mt19937_64 random;
    KernelContext context{threads, scratch, random};
    std::unique_ptr<KernelState> state;
    const KernelEntry* entry = nullptr;
    std::deque<Value> values;
    std::deque<Value> items;
    std::deque<std::vector<float>> memory;
    std::vector<Value*> arguments;
};

struct Layer {
    std::int64_t inputs;
    std::int64_t outputs;
    std::int64_t side;  ///< of the square input
    std::int64_t kernel;
    std::int64_t stride;
    std::int64_t groups;

    [[nodiscard]] std::int64_t outputSide() const { return (side - 1) / stride + 1; }
    [[nodiscard]] double operations() const {
        return 2.0 *
               static_cast<double>(outputs * outputSide() * outputSide() * kernel * kernel * inputs / groups);
    }
    [[nodiscard]] std::string name() const {
        const char* kind = groups > 1 ? "depthwise" : kernel > 1 ? "3x3" : "pointwise";
        return std::string(kind) + "/" + std::to_string(inputs) + "to" + std::to_string(outputs) + "/" +
               std::to_string(side) + "x" + std::to_string(side) + "/stride" + std::to_string(stride);
    }
    bool operator==(const Layer&) const = default;
};

/// Channels scaled by the width multiplier and rounded as in the paper: to a multiple of 8, not below 90 %.
std::int64_t scaled(std::int64_t channels, double width) {
    const double wanted = static_cast<double>(channels) * width;
    const auto rounded = std::max<std::int64_t>(8, static_cast<std::int64_t>(wanted + 4) / 8 * 8);
    return static_cast<double>(rounded) < 0.9 * wanted ? rounded + 8 : rounded;
}

/// The convolutions of MobileNetV2 (https://arxiv.org/abs/1801.04381, table 2).
std::vector<Layer> mobilenetV2(double width, std::int64_t side) {
    struct Stage {
        std::int64_t expansion, channels, repeats, stride;
    };
    constexpr std::array<Stage, 7> stages{{{1, 16, 1, 1},
                                           {6, 24, 2, 2},
                                           {6, 32, 3, 2},
                                           {6, 64, 4, 2},
                                           {6, 96, 3, 1},
                                           {6, 160, 3, 2},
                                           {6, 320, 1, 1}}};
    std::int64_t channels = scaled(32, width);
    std::vector<Layer> layers{{3, channels, side, 3, 2, 1}};
    side = layers.back().outputSide();
    for (const Stage& stage : stages) {
        for (std::int64_t i = 0; i < stage.repeats; ++i) {
            const std::int64_t hidden = channels * stage.expansion;
            const std::int64_t outputs = scaled(stage.channels, width);
            if (stage.expansion > 1) {
                layers.push_back({channels, hidden, side, 1, 1, 1});
            }
            layers.push_back({hidden, hidden, side, 3, i == 0 ? stage.stride : 1, hidden});
            side = layers.back().outputSide();
            layers.push_back({hidden, outputs, side, 1, 1, 1});
            channels = outputs;
        }
    }
    layers.push_back({channels, std::max<std::int64_t>(1280, scaled(1280, width)), side, 1, 1, 1});
    return layers;
}

std::unique_ptr<Instruction> convolution(const Layer& layer) {
    auto made = std::make_unique<Instruction>();
    made->tensor({1, layer.inputs, layer.side, layer.side});
    made->tensor({layer.outputs, layer.inputs / layer.groups, layer.kernel, layer.kernel}, true);
    made->add(std::monostate{});
    made->ints({layer.stride, layer.stride});
    made->ints({layer.kernel / 2, layer.kernel / 2});
    made->ints({1, 1});
    made->add(false);
    made->ints({0, 0});
    made->add(layer.groups);
    made->tensor({1, layer.outputs, layer.outputSide(), layer.outputSide()});
    made->prepare("aten::convolution.out");
    return made;
}

dense::Convolution shapeOf(const Layer& layer) {
    const std::int64_t padding = layer.kernel / 2;
    dense::Convolution shape;
    shape.filter = {.groups = layer.groups,
                    .inputChannels = layer.inputs,
                    .outputChannels = layer.outputs,
                    .kernel = {1, layer.kernel, layer.kernel},
                    .stride = {1, layer.stride, layer.stride},
                    .padding = {0, padding, padding}};
    shape.input = {1, layer.side, layer.side};
    shape.output = {1, layer.outputSide(), layer.outputSide()};
    return shape;
}

/// Seconds of XNNPACK's operator on channels-last data.
double libraryTime(const Layer& layer) {
    Instruction place;
    const Tensor& input = place.tensor({1, layer.side, layer.side, layer.inputs});
    const Tensor& weight =
        place.tensor({layer.outputs, layer.inputs / layer.groups, layer.kernel, layer.kernel});
    Tensor& out = place.tensor({1, layer.outputSide(), layer.outputSide(), layer.outputs});
    const dense::Convolution shape = shapeOf(layer);
    auto library =
        dense::XnnConvolution::make(place.forLibrary(), shape.filter, weight.data<float>(), nullptr);
    return minTime([&] {
        orDie(library->run(place.forLibrary(), shape, input.data<float>(), out.mutableData<float>()));
        place.release();
    });
}

void report(benchmark::State& state, double seconds, double operations, double librarySeconds) {
    state.counters["GFLOP/s"] = operations / seconds * 1e-9;
    state.counters["time_of_xnnpack"] = seconds / librarySeconds;
}

/// Runs the function for each benchmark iteration and returns the minimum time.
template <class Function>
double measure(benchmark::State& state, Function&& function) {
    double min = std::numeric_limits<double>::infinity();
    for (auto _ : state) {
        const double begin = now();
        function();
        min = std::min(min, now() - begin);
    }
    return min;
}

void runLayer(benchmark::State& state, const Layer& layer) {
    const auto instruction = convolution(layer);
    const double seconds = measure(state, [&] { instruction->run(); });
    report(state, seconds, layer.operations(), libraryTime(layer));
}

/// Computes a layer with the given method, whether or not the kernels would choose it.
void runMethod(benchmark::State& state, const Layer& layer, dense::ConvolutionMethod method) {
    Instruction place;
    const Tensor& input = place.tensor({1, layer.inputs, layer.side, layer.side});
    const Tensor& weight =
        place.tensor({layer.outputs, layer.inputs / layer.groups, layer.kernel, layer.kernel});
    Tensor& out = place.tensor({1, layer.outputs, layer.outputSide(), layer.outputSide()});
    const dense::Convolution shape = shapeOf(layer);
    auto made =
        dense::FloatConvolution::make(place.forLibrary(), shape.filter, method, weight, nullptr, true);
    place.release();
    const double seconds = measure(state, [&] {
        orDie((*made)->run(place.forLibrary(), shape, input, nullptr, out, {}));
        place.release();
    });
    report(state, seconds, layer.operations(), libraryTime(layer));
}

void runModel(benchmark::State& state, double width, std::int64_t side) {
    std::vector<std::unique_ptr<Instruction>> instructions;
    double operations = 0;
    double librarySeconds = 0;
    for (const Layer& layer : mobilenetV2(width, side)) {
        instructions.push_back(convolution(layer));
        operations += layer.operations();
        librarySeconds += libraryTime(layer);
    }
    const double seconds = measure(state, [&] {
        for (const auto& instruction : instructions) {
            instruction->run();
        }
    });
    report(state, seconds, operations, librarySeconds);
}

struct MatrixShape {
    const char* name;
    std::int64_t rows, depth, columns;
    bool isConstant;
};

void runProduct(benchmark::State& state, const MatrixShape& product) {
    const bool isLinear = std::string_view(product.name) == "aten::linear.out";
    Instruction instruction;
    instruction.tensor({product.rows, product.depth});
    instruction.tensor(
        isLinear ? Shape{product.columns, product.depth} : Shape{product.depth, product.columns},
        product.isConstant);
    if (isLinear) {
        instruction.add(std::monostate{});
    }
    instruction.tensor({product.rows, product.columns});
    instruction.prepare(product.name);
    const double seconds = measure(state, [&] { instruction.run(); });

    Instruction place;
    const Tensor& left = place.tensor({product.rows, product.depth});
    const Tensor& right = place.tensor({product.depth, product.columns});
    Tensor& out = place.tensor({product.rows, product.columns});
    auto library =
        dense::XnnLinear::make(place.forLibrary(), {.elements = right.data<float>(),
                                                    .inputs = static_cast<std::size_t>(product.depth),
                                                    .outputs = static_cast<std::size_t>(product.columns)});
    const double librarySeconds = minTime([&] {
        orDie((*library)->run(place.forLibrary(), static_cast<std::size_t>(product.rows), left.data<float>(),
                              out.mutableData<float>()));
        place.release();
    });
    report(state, seconds, 2.0 * static_cast<double>(product.rows * product.depth * product.columns),
           librarySeconds);
}

const bool registered = [] {
    benchmark::RegisterBenchmark("mobilenet_v2/width1.0/224", [](benchmark::State& state) {
        runModel(state, 1.0, 224);
    })->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("mobilenet_v2/width0.35/96", [](benchmark::State& state) {
        runModel(state, 0.35, 96);
    })->Unit(benchmark::kMillisecond);
    std::vector<Layer> layers;
    for (const auto& [width, side] : {std::pair(1.0, 224), std::pair(0.35, 96)}) {
        for (const Layer& layer : mobilenetV2(width, side)) {
            if (!std::ranges::contains(layers, layer)) {
                layers.push_back(layer);
            }
        }
    }
    for (const Layer& layer : layers) {
        benchmark::RegisterBenchmark("convolution/" + layer.name(), [layer](benchmark::State& state) {
            runLayer(state, layer);
        })->Unit(benchmark::kMicrosecond);
    }
    using enum dense::ConvolutionMethod;
    for (const Layer& layer :
         {Layer{3, 32, 224, 3, 2, 1}, Layer{3, 16, 96, 3, 2, 1}, Layer{64, 64, 56, 3, 1, 1},
          Layer{512, 512, 7, 3, 1, 1}, Layer{24, 144, 56, 1, 1, 1}, Layer{960, 160, 7, 1, 1, 1},
          Layer{336, 112, 3, 1, 1, 1}, Layer{144, 144, 56, 3, 1, 144}, Layer{960, 960, 7, 3, 1, 960},
          Layer{336, 336, 3, 3, 1, 336}}) {
        for (const auto& [method, name] : {std::pair(layer.groups > 1 ? Depthwise : Product, "ours"),
                                           std::pair(ChannelsLast, "transposes")}) {
            benchmark::RegisterBenchmark("method/" + layer.name() + "/" + name, [layer, method](
                                                                                    benchmark::State& state) {
                runMethod(state, layer, method);
            })->Unit(benchmark::kMicrosecond);
        }
    }
    for (const MatrixShape& product :
         {MatrixShape{"aten::mm.out", 1, 1024, 1024, false}, MatrixShape{"aten::mm.out", 64, 64, 64, false},
          MatrixShape{"aten::mm.out", 512, 512, 512, false}, MatrixShape{"aten::mm.out", 512, 512, 512, true},
          MatrixShape{"aten::linear.out", 1, 1280, 1000, true},
          MatrixShape{"aten::linear.out", 64, 768, 768, true},
          MatrixShape{"aten::linear.out", 64, 768, 768, false}}) {
        const std::string name = std::string(product.name) + "/" + std::to_string(product.rows) + "x" +
                                 std::to_string(product.depth) + "x" + std::to_string(product.columns) +
                                 (product.isConstant ? "/constant" : "");
        benchmark::RegisterBenchmark(name, [product](benchmark::State& state) {
            runProduct(state, product);
        })->Unit(benchmark::kMicrosecond);
    }
    return true;
}();

}  // namespace
