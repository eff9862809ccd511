// Benchmark of XNNPACK nodes at the shapes of MobileNetV3, EfficientNet-B0 and U-Net: channels last, one
// thread, each run as a delegate runs it. Does not use Google Benchmark. Nodes that only move data are
// compared with memcpy() of as many bytes as they read and write; computing nodes with one of the library's
// matrix products with as many operations; our own nodes with the library, on one thread and on two. Both
// sides alternate, and the fastest run of each counts.
#include "backends/xnnpack/custom_kernels/faster_nodes.h"
#include "backends/xnnpack/library/library_runtime.h"
#include "backends/xnnpack/nodes/node_table.h"
#include "backends/xnnpack/nodes/shapes.h"
#include "runtime/executor/backend.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xnnpack.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

namespace xnnpack = et::backends::xnnpack;

using Sizes = std::vector<std::size_t>;

const std::vector<float>* const noFloats = nullptr;
constexpr float infinity = std::numeric_limits<float>::infinity();

std::size_t numel(const Sizes& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>());
}

void check(xnn_status status, const char* what) {
    if (status != xnn_status_success) {
        fmt::print(stderr, "{}: status {}\n", what, static_cast<int>(status));
        std::exit(EXIT_FAILURE);
    }
}

/// A graph with a single node, and its memory.
class Node {
  public:
    Node() { check(xnn_create_subgraph(maxValues, 0, &graph), "xnn_create_subgraph"); }
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;
    ~Node() {
        xnn_delete_runtime(runtime);
        xnn_delete_subgraph(graph);
    }

    /// Defines an external value; float if `scale` is 0.
    std::uint32_t value(const Sizes& sizes, float scale, std::uint32_t flags) {
        const std::uint32_t external = static_cast<std::uint32_t>(values.size());
        std::uint32_t id = 0;
        check(define(sizes, scale, nullptr, external, flags, id), "a value");
        const std::size_t width = scale == 0 ? sizeof(float) : 1;
        memory.push_back(
            std::make_unique<std::vector<std::byte>>(numel(sizes) * width + XNN_EXTRA_BYTES, std::byte{0}));
        values.push_back({.id = external, .data = memory.back()->data()});
        bytes += numel(sizes) * width;
        return id;
    }
    std::uint32_t constant(const Sizes& sizes) {
        memory.push_back(
            std::make_unique<std::vector<std::byte>>(numel(sizes) * sizeof(float) + XNN_EXTRA_BYTES));
        std::uint32_t id = 0;
        check(define(sizes, 0, memory.back()->data(), XNN_INVALID_VALUE_ID, 0, id), "a constant");
        return id;
    }
    void prepare(pthreadpool_t threads = nullptr) {
        xnn_delete_runtime(std::exchange(runtime, nullptr));
        check(xnn_create_runtime_v4(graph, nullptr, nullptr, threads, 0, &runtime), "xnn_create_runtime");
        check(xnn_reshape_runtime(runtime), "xnn_reshape_runtime");
        check(xnn_setup_runtime_v2(runtime, values.size(), values.data()), "xnn_setup_runtime");
    }
    void run() { check(xnn_invoke_runtime(runtime), "xnn_invoke_runtime"); }

    xnn_subgraph_t graph = nullptr;
    std::size_t bytes = 0;  ///< read and written, without constants

  private:
    static constexpr std::uint32_t maxValues = 8;

    xnn_status define(const Sizes& sizes, float scale, const void* data, std::uint32_t external,
                      std::uint32_t flags, std::uint32_t& id) {
        return scale == 0
                   ? xnn_define_tensor_value(graph, xnn_datatype_fp32, sizes.size(), sizes.data(), data,
                                             external, flags, &id)
                   : xnn_define_quantized_tensor_value(graph, xnn_datatype_qint8, 0, scale, sizes.size(),
                                                       sizes.data(), data, external, flags, &id);
    }

    xnn_runtime_t runtime = nullptr;
    std::vector<xnn_external_value> values;
    std::vector<std::unique_ptr<std::vector<std::byte>>> memory;
};

std::unique_ptr<Node> unary(xnn_unary_operator kind, const Sizes& sizes, float scale) {
    auto node = std::make_unique<Node>();
    const float outScale = kind == xnn_unary_sigmoid ? 1.0F / 256 : scale;
    const std::uint32_t in = node->value(sizes, scale, XNN_VALUE_FLAG_EXTERNAL_INPUT);
    const std::uint32_t out = node->value(sizes, scale == 0 ? 0 : outScale, XNN_VALUE_FLAG_EXTERNAL_OUTPUT);
    check(xnn_define_unary(node->graph, kind, nullptr, in, out, 0), "xnn_define_unary");
    return node;
}

std::unique_ptr<Node> binary(xnn_binary_operator kind, const Sizes& left, const Sizes& right, float scale) {
    auto node = std::make_unique<Node>();
    const std::uint32_t a = node->value(left, scale, XNN_VALUE_FLAG_EXTERNAL_INPUT);
    const std::uint32_t b = node->value(right, scale, XNN_VALUE_FLAG_EXTERNAL_INPUT);
    const std::uint32_t out = node->value(left, scale, XNN_VALUE_FLAG_EXTERNAL_OUTPUT);
    check(xnn_define_binary(node->graph, kind, nullptr, a, b, out, 0), "xnn_define_binary");
    return node;
}

/// Transposed 2x2 convolution with stride 2.
std::unique_ptr<Node> upConvolution(std::size_t side, std::size_t inputs, std::size_t outputs) {
    auto node = std::make_unique<Node>();
    const std::uint32_t in = node->value({1, side, side, inputs}, 0, XNN_VALUE_FLAG_EXTERNAL_INPUT);
    const std::uint32_t filter = node->constant({outputs, 2, 2, inputs});
    const std::uint32_t bias = node->constant({outputs});
    const std::uint32_t out =
        node->value({1, 2 * side, 2 * side, outputs}, 0, XNN_VALUE_FLAG_EXTERNAL_OUTPUT);
    check(xnn_define_deconvolution_2d(node->graph, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 1, 1, 1, inputs, outputs,
                                      -infinity, infinity, in, filter, bias, out, 0),
          "xnn_define_deconvolution_2d");
    return node;
}

constexpr std::array<std::size_t, 4> pixelsOrder{0, 2, 3, 1};

/// Interleaves three byte planes into pixels.
std::unique_ptr<Node> interleave(std::size_t side, float scale) {
    auto node = std::make_unique<Node>();
    const std::uint32_t in = node->value({1, 3, side, side}, scale, XNN_VALUE_FLAG_EXTERNAL_INPUT);
    const std::uint32_t out = node->value({1, side, side, 3}, scale, XNN_VALUE_FLAG_EXTERNAL_OUTPUT);
    check(xnn_define_static_transpose(node->graph, pixelsOrder.size(), pixelsOrder.data(), in, out, 0),
          "xnn_define_static_transpose");
    return node;
}

std::unique_ptr<Node> product(std::size_t rows, std::size_t inputs, std::size_t outputs) {
    auto node = std::make_unique<Node>();
    const std::uint32_t in = node->value({rows, inputs}, 0, XNN_VALUE_FLAG_EXTERNAL_INPUT);
    const std::uint32_t filter = node->constant({outputs, inputs});
    const std::uint32_t bias = node->constant({outputs});
    const std::uint32_t out = node->value({rows, outputs}, 0, XNN_VALUE_FLAG_EXTERNAL_OUTPUT);
    check(xnn_define_fully_connected(node->graph, -infinity, infinity, in, filter, bias, out, 0),
          "xnn_define_fully_connected");
    return node;
}

/// Nanoseconds.
template <class Function>
double time(const Function& function) {
    const auto start = std::chrono::steady_clock::now();
    function();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

struct Times {
    double node = std::numeric_limits<double>::infinity();
    double yardstick = std::numeric_limits<double>::infinity();
};

template <class Yardstick>
Times turns(Node& node, const Yardstick& yardstick) {
    Times times;
    double spent = 0;
    constexpr double each = 60e6;  // nanoseconds for both sides
    for (int i = 0; i < 20 || spent < each; ++i) {
        const double a = time([&] { node.run(); });
        const double b = time(yardstick);
        times = {.node = std::min(times.node, a), .yardstick = std::min(times.yardstick, b)};
        spent += a + b;
    }
    return times;
}

/// A payload's node, computed by our delegate.
class CustomNode {
  public:
    /// `data` is indexed by ValueIndex; null: no constant. The caller's threads are shared by both sides of a
    /// comparison: workers spin while waiting, so a second pool would take the cores from the first.
    CustomNode(xnnpack::Payload given, std::span<const std::vector<float>* const> data,
               et::kernels::ThreadPool& threads)
        : payload(std::move(given)) {
        payload.constants.resize(1);
        for (std::size_t i = 0; i < data.size(); ++i) {
            if (data[i] != nullptr) {
                payload.values[i].constant = static_cast<std::uint32_t>(payload.constants.size());
                payload.constants.push_back({.data = std::as_bytes(std::span(*data[i])), .name = {}});
            }
        }
        xnnpack::Shapes shapes = xnnpack::exportedShapes(payload);
        auto found = xnnpack::ConstantData::find(payload, NoData());
        if (!found || !xnnpack::followShapes(payload, shapes, std::uint64_t{1} << 30U)) {
            std::exit(EXIT_FAILURE);
        }
        constants.emplace(*std::move(found));
        auto made = xnnpack::makeFasterNode(
            {.payload = payload, .constants = *constants, .threads = threads, .widenHalf = false},
            payload.nodes[0]);
        if (!made) {
            std::exit(EXIT_FAILURE);
        }
        node = *std::move(made);
        node->reshape(shapes);
        for (std::size_t i = 0; i < payload.values.size(); ++i) {
            memory.emplace_back(numel(Sizes(shapes[i].begin(), shapes[i].end())) * sizeof(float) +
                                XNN_EXTRA_BYTES);
            places.push_back(memory.back().data());
        }
    }
    void run() { node->run(places); }

  private:
    struct NoData final : et::executor::NamedDataSource {
        [[nodiscard]] std::optional<et::core::Bytes> find(std::string_view) const override {
            return std::nullopt;
        }
    };

    xnnpack::Payload payload;
    std::optional<xnnpack::ConstantData> constants;
    std::unique_ptr<xnnpack::CustomNode> node;
    std::vector<std::vector<std::byte>> memory;
    std::vector<void*> places;
};

const xnnpack::NodeKindInfo* kindOf(xnnpack::NodeKind kind) {
    return xnnpack::nodeKind(static_cast<std::uint8_t>(kind));
}

std::uint32_t addValue(xnnpack::Payload& payload, const Sizes& sizes, float scale) {
    xnnpack::PayloadValue& value = payload.values.emplace_back();
    value.datatype = scale == 0 ? xnnpack::Datatype::Fp32 : xnnpack::Datatype::QInt8;
    value.sizes.assign(sizes.begin(), sizes.end());
    if (scale != 0) {
        value.quantization = xnnpack::PerTensorQuantization{.scale = scale};
    }
    return static_cast<std::uint32_t>(payload.values.size() - 1);
}

/// Payload of a node on int8 data with one or two `inputs`.
xnnpack::Payload bytePayload(xnnpack::NodeKind kind, std::span<const Sizes> inputs, float scale,
                             float outScale) {
    xnnpack::Payload payload;
    xnnpack::PayloadNode node{.traits = kindOf(kind)};
    for (const Sizes& sizes : inputs) {
        node.inputs.push_back(addValue(payload, sizes, scale));
        payload.values.back().isInput = true;
    }
    node.outputs.push_back(addValue(payload, inputs[0], outScale));
    payload.values.back().isOutput = true;
    payload.nodes.push_back(std::move(node));
    return payload;
}

xnnpack::Payload upPayload(std::size_t side, std::size_t inputs, std::size_t outputs) {
    xnnpack::Payload payload;
    addValue(payload, {1, side, side, inputs}, 0);
    addValue(payload, {outputs, 2, 2, inputs}, 0);
    addValue(payload, {outputs}, 0);
    addValue(payload, {1, 2 * side, 2 * side, outputs}, 0);
    payload.values[0].isInput = true;
    payload.values[3].isOutput = true;
    payload.nodes.push_back(
        {.traits = kindOf(xnnpack::NodeKind::TransposedConvolution),
         .inputs = {0, 1, 2},
         .outputs = {3},
         .fields = xnnpack::ConvolutionFields{.padding = {},
                                              .kernel = {2, 2},
                                              .stride = {2, 2},
                                              .dilation = {1, 1},
                                              .adjustment = {},
                                              .groups = 1,
                                              .groupInputChannels = static_cast<std::uint32_t>(inputs),
                                              .groupOutputChannels = static_cast<std::uint32_t>(outputs)}});
    return payload;
}

xnnpack::Payload interleavePayload(std::size_t side, float scale) {
    xnnpack::Payload payload;
    addValue(payload, {1, 3, side, side}, scale);
    addValue(payload, {1, side, side, 3}, scale);
    payload.values[0].isInput = true;
    payload.values[1].isOutput = true;
    payload.nodes.push_back({.traits = kindOf(xnnpack::NodeKind::Transpose),
                             .inputs = {0},
                             .outputs = {1},
                             .fields = xnnpack::TransposeFields{.order = {0, 2, 3, 1}}});
    return payload;
}

/// Microseconds of the library and of our node.
std::pair<double, double> together(Node& node, const xnnpack::Payload& same, std::size_t threads) {
    et::kernels::ThreadPool pool(threads);
    node.prepare(pool.handle());
    CustomNode ours(same, {}, pool);
    const Times times = turns(node, [&] { ours.run(); });
    return {times.node / 1e3, times.yardstick / 1e3};
}

void beside(const std::string& name, const std::unique_ptr<Node>& node,
            const std::optional<xnnpack::Payload>& same) {
    node->prepare();
    const std::size_t half = node->bytes / 2;
    std::vector<std::byte> from(half);
    std::vector<std::byte> to(half);
    const Times times = turns(*node, [&] { std::memcpy(to.data(), from.data(), half); });
    fmt::print("| {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.0f} % |", name, node->bytes / 1024,
               times.node / 1e3, static_cast<double>(node->bytes) / times.node, times.yardstick / 1e3,
               100 * times.yardstick / times.node);
    if (same) {
        const auto [library, ours] = together(*node, *same, 1);
        const auto [libraryOnTwo, oursOnTwo] = together(*node, *same, 2);
        fmt::print(" {:.1f} | {:.2f} | {:.0f} % | {:.1f}, {:.1f} | {:.2f} |", ours, ours / library,
                   100 * times.yardstick / 1e3 / ours, libraryOnTwo, oursOnTwo, oursOnTwo / libraryOnTwo);
    }
    fmt::print("\n");
    std::fflush(stdout);
}

void upBeside(std::size_t side, std::size_t inputs, std::size_t outputs) {
    const auto node = upConvolution(side, inputs, outputs);
    const auto same = product(side * side, inputs, 4 * outputs);
    node->prepare();
    same->prepare();
    const std::vector<float> weights(outputs * 4 * inputs);
    const std::vector<float> bias(outputs);
    et::kernels::ThreadPool alone(1);
    CustomNode ours(upPayload(side, inputs, outputs), std::array{noFloats, &weights, &bias, noFloats}, alone);
    const Times times = turns(*node, [&] { same->run(); });
    const Times ourTimes = turns(*node, [&] { ours.run(); });
    const double operations = 8.0 * static_cast<double>(side * side * inputs * outputs);
    fmt::print("| {}x{}, {} to {} | {:.1f} | {:.0f} | {:.1f} | {:.0f} % | {:.1f} | {:.2f} |\n", side, side,
               inputs, outputs, times.node / 1e3, operations / times.node, times.yardstick / 1e3,
               100 * times.yardstick / times.node, ourTimes.yardstick / 1e3, ourTimes.yardstick / times.node);
}

using Kind = xnnpack::NodeKind;

void unaryBeside(std::string_view name, xnn_unary_operator operation, Kind kind, const Sizes& sizes,
                 float scale) {
    const float outScale = operation == xnn_unary_sigmoid ? 1.0F / 256 : scale;
    std::optional<xnnpack::Payload> same;
    if (scale != 0) {
        same = bytePayload(kind, std::array{sizes}, scale, outScale);
    }
    beside(fmt::format("{} {} {}", name, scale == 0 ? "fp32" : "q8",
                       fmt::join(sizes.begin() + 1, sizes.end(), "x")),
           unary(operation, sizes, scale), same);
}

void binaryBeside(std::string_view name, xnn_binary_operator operation, Kind kind, const Sizes& left,
                  const Sizes& right, float scale) {
    std::optional<xnnpack::Payload> same;
    if (scale != 0) {
        same = bytePayload(kind, std::array{left, right}, scale, scale);
    }
    beside(fmt::format("{} {} {}", name, scale == 0 ? "fp32" : "q8",
                       fmt::join(left.begin() + 1, left.end(), "x")),
           binary(operation, left, right, scale), same);
}

void elementwise(float scale) {
    const auto shape = [](std::size_t side, std::size_t channels) { return Sizes{1, side, side, channels}; };
    for (const auto& [side, channels] : {std::pair{112UL, 16UL}, {28UL, 96UL}, {14UL, 240UL}, {7UL, 576UL}}) {
        unaryBeside("hardswish", xnn_unary_hardswish, Kind::HardSwish, shape(side, channels), scale);
    }
    for (const auto& [side, channels] : {std::pair{112UL, 32UL}, {56UL, 144UL}, {14UL, 672UL}}) {
        unaryBeside("sigmoid", xnn_unary_sigmoid, Kind::Sigmoid, shape(side, channels), scale);
        binaryBeside("multiply", xnn_binary_multiply, Kind::Multiply, shape(side, channels),
                     shape(side, channels), scale);
    }
    for (const auto& [side, channels] :
         {std::pair{112UL, 32UL}, {56UL, 16UL}, {56UL, 96UL}, {28UL, 72UL}, {14UL, 240UL}, {7UL, 1152UL}}) {
        binaryBeside("excite", xnn_binary_multiply, Kind::Multiply, shape(side, channels),
                     Sizes{1, 1, 1, channels}, scale);
    }
    for (const auto& [side, channels] : {std::pair{56UL, 24UL}, {28UL, 40UL}, {14UL, 80UL}, {7UL, 192UL}}) {
        binaryBeside("add", xnn_binary_add, Kind::Add, shape(side, channels), shape(side, channels), scale);
    }
}

}  // namespace

int main() {
    if (!xnnpack::initializeLibrary()) {
        return EXIT_FAILURE;
    }
    fmt::print(
        "| node | KiB | µs | GB/s | memcpy, µs | of it | ours, µs | ours / library | of memcpy | two "
        "threads: "
        "library, ours | ours / library |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    elementwise(0);
    elementwise(0.05F);
    for (const std::size_t side : {96UL, 224UL, 640UL}) {
        beside(fmt::format("interleave q8 3x{0}x{0}", side), interleave(side, 0.05F),
               interleavePayload(side, 0.05F));
    }
    fmt::print(
        "\n| transposed convolution 2x2, stride 2 | µs | GFLOP/s | product, µs | of it | ours, µs | "
        "ours / library |\n|---|---|---|---|---|---|---|\n");
    for (const auto& [side, inputs] : {std::pair{8UL, 128UL}, {16UL, 64UL}, {32UL, 32UL}, {28UL, 256UL}}) {
        upBeside(side, inputs, inputs / 2);
    }
    return EXIT_SUCCESS;
}
