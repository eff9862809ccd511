#include "tests/kernels/kernel_call.h"

#include <gmock/gmock.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

// Tests elements at offsets beyond 32 bits, in tensors whose memory is touched only where an operator reads
// or writes.
namespace et::test {
namespace {

using testing::ElementsAre;

constexpr std::int64_t rows = 3;
constexpr std::int64_t columns = (std::int64_t{1} << 31) + 8;
constexpr std::int64_t far = columns - 3;

/// Zeros that use memory only where written.
class SparseBytes {
  public:
    explicit SparseBytes(std::size_t size)
        : bytes(size),
          first(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                     0)) {}
    ~SparseBytes() {
        if (isThere()) {
            munmap(first, bytes);
        }
    }
    SparseBytes(const SparseBytes&) = delete;
    SparseBytes& operator=(const SparseBytes&) = delete;

    [[nodiscard]] bool isThere() const { return first != MAP_FAILED; }
    [[nodiscard]] std::uint8_t* data() const { return static_cast<std::uint8_t*>(first); }

  private:
    std::size_t bytes;
    void* first;
};

class FarElements : public testing::Test {
  protected:
    void SetUp() override {
        if (!memory.isThere()) {
            GTEST_SKIP() << "no address space for 6 GB: " << std::strerror(errno);
        }
        for (std::int64_t row = 0; row < rows; ++row) {
            at(row, far) = static_cast<std::uint8_t>(10 + row);
            at(row, far + 1) = static_cast<std::uint8_t>(20 + row);
        }
        auto made = core::Tensor::make(core::ScalarType::Byte, std::vector{rows, columns},
                                       reinterpret_cast<std::byte*>(memory.data()));
        ASSERT_TRUE(made.has_value());
        call.add(*made);
    }
    std::uint8_t& at(std::int64_t row, std::int64_t column) { return memory.data()[row * columns + column]; }

    /// Returns the result of `name` for the far tensor and the arguments that follow.
    std::vector<std::uint8_t> made(std::string_view name, std::vector<std::int64_t> sizes) {
        const core::Tensor& out = call.emptyTensor<std::uint8_t>(std::move(sizes));
        const auto done = call.run(name);
        EXPECT_TRUE(done) << done.error().message;
        return elements<std::uint8_t>(out);
    }

    SparseBytes memory{static_cast<std::size_t>(rows * columns)};
    KernelCall call;
};

TEST_F(FarElements, AreSelected) {
    call.add(std::int64_t{1});
    call.add(far);
    EXPECT_THAT(made("aten::select_copy.int_out", {rows}), ElementsAre(10, 11, 12));
}

TEST_F(FarElements, AreSliced) {
    call.add(std::int64_t{1});
    call.add(far - 1);
    call.none();
    call.add(std::int64_t{2});
    EXPECT_THAT(made("aten::slice_copy.Tensor_out", {rows, 2}), ElementsAre(0, 20, 0, 21, 0, 22));
}

TEST_F(FarElements, AreNarrowed) {
    call.add(std::int64_t{-1});
    call.add(far);
    call.add(std::int64_t{2});
    EXPECT_THAT(made("aten::narrow_copy.out", {rows, 2}), ElementsAre(10, 20, 11, 21, 12, 22));
}

TEST_F(FarElements, AreFoundByIndex) {
    call.add(std::int64_t{1});
    call.tensor<std::int64_t>({2}, {far + 1, 0});
    EXPECT_THAT(made("aten::index_select.out", {rows, 2}), ElementsAre(20, 0, 21, 0, 22, 0));
}

TEST_F(FarElements, AreGathered) {
    call.add(std::int64_t{1});
    call.tensor<std::int64_t>({rows, 1}, {far, far + 1, far});
    call.add(false);
    EXPECT_THAT(made("aten::gather.out", {rows, 1}), ElementsAre(10, 21, 12));
}

TEST_F(FarElements, AreSeenThroughStrides) {
    call.ints({2, 2});
    call.ints({2 * columns, 1});
    call.add(far);
    EXPECT_THAT(made("aten::as_strided_copy.out", {2, 2}), ElementsAre(10, 20, 12, 22));
}

TEST_F(FarElements, AreOnADiagonal) {
    call.add(far);
    call.add(std::int64_t{0});
    call.add(std::int64_t{1});
    EXPECT_THAT(made("aten::diagonal_copy.out", {rows}), ElementsAre(10, 21, 0));
}

TEST_F(FarElements, AreWrittenByIndex) {
    call.tensor<std::int64_t>({1}, {2});
    call.tensor<std::int64_t>({1}, {far + 2});
    call.list(2);
    call.tensor<std::uint8_t>({1}, {99});
    call.add(false);
    const auto done = call.run("aten::index_put_");
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(at(2, far + 2), 99);
    EXPECT_EQ(at(1, far + 2), 0);
}

TEST(FarRows, AreEmbedded) {
    constexpr std::int64_t width = 3;
    const SparseBytes memory(static_cast<std::size_t>(columns * width));
    if (!memory.isThere()) {
        GTEST_SKIP() << "no address space for 6 GB: " << std::strerror(errno);
    }
    memory.data()[far * width + 2] = 7;
    KernelCall call;
    call.add(*core::Tensor::make(core::ScalarType::Byte, std::vector{columns, width},
                                 reinterpret_cast<std::byte*>(memory.data())));
    call.tensor<std::int64_t>({2}, {far, 0});
    call.add(std::int64_t{-1});
    call.add(false);
    call.add(false);
    const core::Tensor& out = call.emptyTensor<std::uint8_t>({2, width});
    const auto done = call.run("aten::embedding.out");
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_THAT(elements<std::uint8_t>(out), ElementsAre(0, 0, 7, 0, 0, 0));
}

}  // namespace
}  // namespace et::test
