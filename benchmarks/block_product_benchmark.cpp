// Benchmark without Google Benchmark: products of dynamically quantized rows with blockwise 4-bit weights, as
// in 8da4w language models, by the delegate and by XNNPACK, with one and with two threads. Both alternate on
// shared threads, and the fastest run of each is used.
#include "backends/xnnpack/delegate/graph_runtime.h"
#include "backends/xnnpack/nodes/node_table.h"
#include "runtime/executor/backend.h"

#include <fmt/format.h>
#include <xnnpack.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace {

namespace xnnpack = et::backends::xnnpack;
using xnnpack::Datatype;
using xnnpack::NodeKind;

constexpr std::uint64_t maxMemory = std::uint64_t{1} << 32U;

struct NoData final : et::executor::NamedDataSource {
    [[nodiscard]] std::optional<et::core::Bytes> find(std::string_view) const override {
        return std::nullopt;
    }
};

struct Form {
    std::uint32_t rows, depth, outputs, block;
};

template <class T>
T valueOr(et::core::Result<T> result) {
    if (!result) {
        fmt::print(stderr, "{}\n", result.error().toString());
        std::exit(EXIT_FAILURE);
    }
    return *std::move(result);
}

/// A quantization and a product of its result.
class Product {
  public:
    explicit Product(const Form& form) : pairs(std::size_t{form.depth} * form.outputs / 2 + XNN_EXTRA_BYTES) {
        constexpr std::uint16_t hundredth = 0x3C24;  // in bfloat16
        std::mt19937 generator(1);
        std::ranges::generate(pairs, [&] { return static_cast<std::byte>(generator()); });
        payload.constants.resize(2);
        payload.constants[1].data = std::span(pairs).first(pairs.size() - XNN_EXTRA_BYTES);
        add(Datatype::Fp32, {form.rows, form.depth});
        add(Datatype::QDInt8, {form.rows, form.depth}).quantization =
            xnnpack::PerTokenQuantization{.nonbatchDims = 1};
        xnnpack::PayloadValue& weights = add(Datatype::QBInt4, {form.outputs, form.depth});
        const std::uint32_t blocks = form.outputs * (form.depth / form.block);
        weights.constant = 1;
        weights.quantization =
            xnnpack::BlockwiseQuantization{.blockSize = form.block,
                                           .scales = std::vector<std::uint16_t>(blocks, hundredth),
                                           .scaleCount = blocks};
        add(Datatype::Fp32, {form.rows, form.outputs});
        payload.values[0].isInput = true;
        payload.values[3].isOutput = true;
        payload.externals = {0, 3};
        payload.nodes.push_back({.traits = kindOf(NodeKind::Convert), .inputs = {0}, .outputs = {1}});
        payload.nodes.push_back(
            {.traits = kindOf(NodeKind::FullyConnected), .inputs = {1, 2, xnnpack::noValue}, .outputs = {3}});
        shapes = xnnpack::exportedShapes(payload);
        if (!xnnpack::followShapes(payload, shapes, maxMemory)) {
            std::exit(EXIT_FAILURE);
        }
        input.resize(std::size_t{form.rows} * form.depth + XNN_EXTRA_BYTES);
        std::uniform_real_distribution<float> numbers(-1, 1);
        std::ranges::generate(input, [&] { return numbers(generator); });
        output.resize(std::size_t{form.rows} * form.outputs);
    }

    /// Returns microseconds: the library's, and those of the custom kernel.
    std::pair<double, double> run(std::size_t threadCount) {
        const et::kernels::ThreadPool threads(threadCount);
        const auto constants = valueOr(xnnpack::ConstantData::find(payload, NoData()));
        const auto shared = valueOr(xnnpack::SharedMemory::make());
        auto library = valueOr(
            xnnpack::LibraryRuntime::make(payload, constants, shapes, shared, threads, {}, maxMemory));
        auto ours =
            valueOr(xnnpack::GraphRuntime::make(payload, constants, shapes, shared, threads, {}, maxMemory));
        if (!library.reshape(payload, shapes) || !ours.reshape(shapes)) {
            std::exit(EXIT_FAILURE);
        }
        const std::array<void*, 2> places{input.data(), output.data()};
        std::pair best{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
        constexpr double enough = 400e3;
        double spent = 0;
        for (int i = 0; i < 20 || spent < enough; ++i) {
            const double theirTime = time([&] { return library.run(places); });
            const double ourTime = time([&] { return ours.run(places); });
            best = {std::min(best.first, theirTime), std::min(best.second, ourTime)};
            spent += theirTime + ourTime;
        }
        return best;
    }

  private:
    static const xnnpack::NodeKindInfo* kindOf(NodeKind kind) {
        return xnnpack::nodeKind(static_cast<std::uint8_t>(kind));
    }
    xnnpack::PayloadValue& add(Datatype type, std::vector<std::uint32_t> sizes) {
        xnnpack::PayloadValue& value = payload.values.emplace_back();
        value.datatype = type;
        value.sizes = std::move(sizes);
        return value;
    }
    template <class Function>
    static double time(const Function& function) {
        const auto start = std::chrono::steady_clock::now();
        if (!function()) {
            std::exit(EXIT_FAILURE);
        }
        return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
    }

    std::vector<std::byte> pairs;
    xnnpack::Payload payload;
    xnnpack::Shapes shapes;
    std::vector<float> input;
    std::vector<float> output;
};

}  // namespace

int main() {
    if (!xnnpack::initializeLibrary()) {
        return EXIT_FAILURE;
    }
    fmt::print(
        "| rows x inputs x outputs, block | XNNPACK, µs | ours, µs | ours / XNNPACK | two threads: XNNPACK, "
        "ours | ours / XNNPACK |\n|---|---|---|---|---|---|\n");
    for (const auto& [depth, outputs] : {std::pair{2048U, 2048U}, {768U, 3072U}, {288U, 288U}}) {
        for (const std::uint32_t block : {32U, depth % 128 == 0 ? 128U : 96U}) {
            for (const std::uint32_t rows : {1U, 4U, 8U, 64U}) {
                Product product({rows, depth, outputs, block});
                const auto [library, ours] = product.run(1);
                const auto [libraryOnTwo, oursOnTwo] = product.run(2);
                fmt::print("| {} x {} x {}, {} | {:.1f} | {:.1f} | {:.2f} | {:.1f}, {:.1f} | {:.2f} |\n",
                           rows, depth, outputs, block, library, ours, ours / library, libraryOnTwo,
                           oursOnTwo, oursOnTwo / libraryOnTwo);
                std::fflush(stdout);
            }
        }
    }
    return EXIT_SUCCESS;
}
