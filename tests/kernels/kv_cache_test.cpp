#include "runtime/core/kv_cache.h"

#include "runtime/kernels/kv_caches.h"
#include "tests/kernels/kernel_call.h"
#include "tests/kernels/numbers.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace et::test {
namespace {

constexpr std::uint64_t enough = std::uint64_t{1} << 30;

struct HeadSizes {
    std::int64_t batch = 1;
    std::int64_t heads = 4;
    std::int64_t keyHeads = 2;
    std::int64_t keySize = 8;
    std::int64_t valueSize = 8;
};

/// Tokens of a conversation: all queries, keys and values, [batch, heads, tokens, size] each.
class Conversation {
  public:
    Conversation(const HeadSizes& sizes, std::int64_t tokens) : shape(sizes), length(tokens) {
        query = randomNumbers(count(shape.heads, shape.keySize, tokens), 1, 1);
        key = randomNumbers(count(shape.keyHeads, shape.keySize, tokens), 2, 1);
        value = randomNumbers(count(shape.keyHeads, shape.valueSize, tokens), 3, 1);
    }

    /// Appends the arguments for tokens [first, first + number) and returns the result.
    core::Tensor& addArguments(KernelCall& call, std::int64_t first, std::int64_t number,
                               std::int64_t position, std::int64_t layer = 0) const {
        call.tensor<float>({shape.batch, shape.heads, number, shape.keySize},
                           part(query, shape.heads, shape.keySize, first, number));
        call.tensor<float>({shape.batch, shape.keyHeads, number, shape.keySize},
                           part(key, shape.keyHeads, shape.keySize, first, number));
        call.tensor<float>({shape.batch, shape.keyHeads, number, shape.valueSize},
                           part(value, shape.keyHeads, shape.valueSize, first, number));
        std::vector<std::int32_t> positions(static_cast<std::size_t>(number));
        std::ranges::iota(positions, static_cast<std::int32_t>(position));
        call.tensor<std::int32_t>({number, 1}, positions);
        call.add(layer);
        call.add(0.35);
        call.add(static_cast<std::int64_t>(core::ScalarType::Float));
        return call.resizableTensor<float>({shape.batch, shape.heads, number, shape.valueSize});
    }

    /// Runs the operator on some tokens, of which the first has this position.
    std::vector<float> run(kernels::KvCaches& caches, std::int64_t first, std::int64_t number,
                           std::int64_t position, std::int64_t layer = 0) const {
        KernelCall call;
        call.use(caches);
        const core::Tensor& out = addArguments(call, first, number, position, layer);
        const auto done = call.run("kvcache::update_and_attend.out");
        EXPECT_TRUE(done) << (done ? "" : done.error().message);
        return {out.data<float>(), out.data<float>() + out.numel()};
    }

    /// The definition: softmax over the tokens from `begin` to the query's own, at most `window`.
    std::vector<float> expected(std::int64_t first, std::int64_t number, std::int64_t window = 0,
                                std::int64_t begin = 0) const {
        std::vector<float> all;
        for (std::int64_t batch = 0; batch < shape.batch; ++batch) {
            for (std::int64_t head = 0; head < shape.heads; ++head) {
                for (std::int64_t token = first; token < first + number; ++token) {
                    const std::int64_t from = window > 0 ? std::max(begin, token - window + 1) : begin;
                    addRow(batch, head, token, from, all);
                }
            }
        }
        return all;
    }

  private:
    [[nodiscard]] std::size_t count(std::int64_t heads, std::int64_t size, std::int64_t tokens) const {
        return static_cast<std::size_t>(shape.batch * heads * size * tokens);
    }
    [[nodiscard]] const float* at(const std::vector<float>& from, std::int64_t heads, std::int64_t size,
                                  std::int64_t batch, std::int64_t head, std::int64_t token) const {
        return from.data() + ((batch * heads + head) * length + token) * size;
    }
    [[nodiscard]] std::vector<float> part(const std::vector<float>& from, std::int64_t heads,
                                          std::int64_t size, std::int64_t first, std::int64_t number) const {
        std::vector<float> all;
        for (std::int64_t batch = 0; batch < shape.batch; ++batch) {
            for (std::int64_t head = 0; head < heads; ++head) {
                const float* const start = at(from, heads, size, batch, head, first);
                all.insert(all.end(), start, start + number * size);
            }
        }
        return all;
    }
    void addRow(std::int64_t batch, std::int64_t head, std::int64_t token, std::int64_t from,
                std::vector<float>& all) const {
        const std::int64_t keyHead = head / (shape.heads / shape.keyHeads);
        const float* const of = at(query, shape.heads, shape.keySize, batch, head, token);
        std::vector<double> sums(static_cast<std::size_t>(shape.valueSize));
        double total = 0;
        for (std::int64_t other = from; other <= token; ++other) {
            const float* const k = at(key, shape.keyHeads, shape.keySize, batch, keyHead, other);
            const float* const v = at(value, shape.keyHeads, shape.valueSize, batch, keyHead, other);
            const double weight = std::exp(0.35 * std::inner_product(of, of + shape.keySize, k, 0.0));
            total += weight;
            for (std::size_t d = 0; d < sums.size(); ++d) {
                sums[d] += weight * static_cast<double>(v[d]);
            }
        }
        for (const double sum : sums) {
            all.push_back(static_cast<float>(sum / total));
        }
    }

    HeadSizes shape;
    std::int64_t length;
    std::vector<float> query, key, value;
};

void expectNear(std::span<const float> got, std::span<const float> expected) {
    ASSERT_EQ(got.size(), expected.size());
    double error = 0;
    double power = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        error += std::pow(static_cast<double>(got[i]) - static_cast<double>(expected[i]), 2);
        power += std::pow(static_cast<double>(expected[i]), 2);
    }
    EXPECT_GT(10 * std::log10(power / std::max(error, 1e-300)), 120);
}

TEST(UpdateAndAttend, AttendsToAllTokensOfTheConversation) {
    for (const HeadSizes& sizes :
         {HeadSizes{}, HeadSizes{.batch = 2}, HeadSizes{.keySize = 16}, HeadSizes{.valueSize = 12}}) {
        const Conversation conversation(sizes, 200);
        kernels::KvCaches caches(enough);
        expectNear(conversation.run(caches, 0, 5, 0), conversation.expected(0, 5));
        expectNear(conversation.run(caches, 5, 1, 5), conversation.expected(5, 1));
        expectNear(conversation.run(caches, 6, 150, 6), conversation.expected(6, 150));
    }
}

TEST(UpdateAndAttend, KeepsLayersApart) {
    const Conversation conversation({}, 8);
    kernels::KvCaches caches(enough);
    (void)conversation.run(caches, 0, 4, 0, 0);
    expectNear(conversation.run(caches, 4, 2, 4, 1), conversation.expected(4, 2, 0, 4));
    expectNear(conversation.run(caches, 4, 2, 4, 0), conversation.expected(4, 2));
}

TEST(UpdateAndAttend, StartsAgainAtPositionZero) {
    const Conversation conversation({}, 8);
    kernels::KvCaches caches(enough);
    (void)conversation.run(caches, 0, 5, 0);
    expectNear(conversation.run(caches, 5, 3, 0), conversation.expected(5, 3, 0, 5));
    EXPECT_THAT(caches.layers().at(0).positions, testing::ElementsAre(0, 1, 2));
}

TEST(UpdateAndAttend, DropsLaterPositionsWhenAConversationIsRewound) {
    const Conversation conversation({}, 8);
    kernels::KvCaches caches(enough);
    (void)conversation.run(caches, 0, 5, 0);
    (void)conversation.run(caches, 5, 3, 2);
    expectNear(conversation.run(caches, 2, 2, 2), conversation.expected(2, 2));
}

TEST(UpdateAndAttend, LooksBackAtMostTheWindow) {
    const Conversation conversation({}, 12);
    kernels::KvCaches caches(enough);
    caches.configure({.capacity = 0, .windows = {3, 0}, .dtype = {}});
    expectNear(conversation.run(caches, 0, 7, 0, 0), conversation.expected(0, 7, 3));
    expectNear(conversation.run(caches, 7, 1, 7, 0), conversation.expected(7, 1, 3));
    expectNear(conversation.run(caches, 0, 7, 0, 1), conversation.expected(0, 7));
    expectNear(conversation.run(caches, 0, 7, 0, 2), conversation.expected(0, 7, 3));
}

TEST(UpdateAndAttend, RejectsPositionsBeyondTheCapacity) {
    const Conversation conversation({}, 12);
    kernels::KvCaches caches(enough);
    caches.configure({.capacity = 6, .windows = {}, .dtype = {}});
    (void)conversation.run(caches, 0, 6, 0);
    KernelCall call;
    call.use(caches);
    conversation.addArguments(call, 6, 1, 6, 0);
    const auto done = call.run("kvcache::update_and_attend.out");
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().message,
              "position 6 of layer 0 exceeds the capacity of its KV cache, 6 positions");
    EXPECT_EQ(caches.layers().at(0).positions.size(), 6U);
}

TEST(UpdateAndAttend, StoresElementsOfTheChosenDtype) {
    const Conversation conversation({}, 6);
    kernels::KvCaches caches(enough);
    caches.configure({.capacity = 6, .windows = {}, .dtype = core::ScalarType::BFloat16});
    (void)conversation.run(caches, 0, 6, 0);
    const core::KvCacheLayer& layer = caches.layers().at(0).layer;
    EXPECT_EQ(layer.bytesPerPosition(), 2U * 2 * 8 * 2);
    EXPECT_EQ(caches.bytes(), 6 * layer.bytesPerPosition());
}

TEST(UpdateAndAttend, RejectsInvalidArguments) {
    const Conversation conversation({}, 6);
    kernels::KvCaches caches(enough);
    {
        KernelCall call;
        conversation.addArguments(call, 0, 2, 0);
        EXPECT_FALSE(call.run("kvcache::update_and_attend.out")) << "no caches";
    }
    for (const std::int64_t position : {std::int64_t{-1}, std::int64_t{-100}}) {
        KernelCall call;
        call.use(caches);
        conversation.addArguments(call, 0, 2, position);
        EXPECT_FALSE(call.run("kvcache::update_and_attend.out"));
    }
    (void)conversation.run(caches, 0, 2, 0);
    KernelCall call;
    call.use(caches);
    Conversation({.keyHeads = 1}, 4).addArguments(call, 0, 2, 2);
    const auto done = call.run("kvcache::update_and_attend.out");
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().message.find("KV cache of layer 0"), std::string::npos) << done.error().message;
}

TEST(KvCaches, LimitTheirMemory) {
    const Conversation conversation({}, 6);
    kernels::KvCaches caches(1000);
    KernelCall call;
    call.use(caches);
    conversation.addArguments(call, 0, 6, 0);
    const auto done = call.run("kvcache::update_and_attend.out");
    ASSERT_TRUE(done) << done.error().message;
    KernelCall other;
    other.use(caches);
    conversation.addArguments(other, 0, 6, 0, 1);
    const auto refused = other.run("kvcache::update_and_attend.out");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, core::ErrorCode::Limit);
}

TEST(KvCaches, NoteWritesThatDoNotFollowTheCachedPositions) {
    const Conversation conversation({}, 12);
    kernels::KvCaches caches(enough);
    caches.beginExecution();
    (void)conversation.run(caches, 0, 3, 0);
    (void)conversation.run(caches, 0, 3, 0);  // the same tokens: a shared layer
    (void)conversation.run(caches, 3, 3, 0);
    (void)conversation.run(caches, 6, 2, 5);
    const auto writes = caches.writes();
    ASSERT_EQ(writes.size(), 4U);
    EXPECT_FALSE(writes[0].replaced);
    EXPECT_FALSE(writes[1].replaced);
    EXPECT_TRUE(writes[2].replaced);
    EXPECT_EQ(writes[3].start, 5);
    EXPECT_EQ(writes[3].expected, 3);
    caches.beginExecution();
    EXPECT_TRUE(caches.writes().empty());
}

TEST(KvCaches, ReserveTheWindowAndOneCall) {
    EXPECT_EQ(core::reservedPositions(1024, 0, 512), 1024);
    EXPECT_EQ(core::reservedPositions(1024, 128, 64), 128 + 64 - 1);
    EXPECT_EQ(core::reservedPositions(1024, 128, 0), 128);
    EXPECT_EQ(core::reservedPositions(100, 128, 64), 100);
}

}  // namespace
}  // namespace et::test
