#include "inspector/format/axis_mark.h"
#include "inspector/format/change_text.h"
#include "inspector/format/quantities.h"
#include "inspector/format/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>

namespace et::inspector::format {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Quantities, TimesHaveFourDigitsInTheUnitThatFits) {
    EXPECT_EQ(readableTime(0), "0 ns");
    EXPECT_EQ(readableTime(12), "12 ns");
    EXPECT_EQ(readableTime(87.25), "87.25 ns");
    EXPECT_EQ(readableTime(1'234), "1.234 µs");
    EXPECT_EQ(readableTime(15'000), "15.00 µs");
    EXPECT_EQ(readableTime(322'140), "322.1 µs");
    EXPECT_EQ(readableTime(8e6), "8.000 ms");
    EXPECT_EQ(readableTime(-8e6), "-8.000 ms");
    EXPECT_EQ(readableTime(1.5e12), "1500 s");
    EXPECT_EQ(readableTime(0.322, TimeScale::Milliseconds), "322.0 µs");
    EXPECT_EQ(readableTime(0.000012, TimeScale::Milliseconds), "12 ns");
    EXPECT_EQ(readableTime(12'345'678, TimeScale::Cycles), "12345678 cycles");
}

TEST(Quantities, RoundingDoesNotAddADigit) {
    EXPECT_EQ(readableTime(9'999.6), "10.00 µs");
    EXPECT_EQ(readableTime(999'960), "1.000 ms");
    EXPECT_EQ(readableBytes(1024 * 1024 - 1), "1.00 MiB");
}

TEST(Quantities, MarksOfAnAxisDifferFromTheNext) {
    EXPECT_EQ(axisMark(0, 10, Measure::Microseconds), "0 µs");
    EXPECT_EQ(axisMark(80, 10, Measure::Microseconds), "80 µs");
    EXPECT_EQ(axisMark(0.75, 0.05, Measure::Milliseconds), "750 µs");
    EXPECT_EQ(axisMark(1.5, 0.05, Measure::Milliseconds), "1.50 ms");
    EXPECT_EQ(axisMark(1.2345678, 1e-7, Measure::Seconds), "1.2345678 s");
    EXPECT_EQ(axisMark(1.2345679, 1e-7, Measure::Seconds), "1.2345679 s");
    EXPECT_EQ(axisMark(999.9999999999, 50, Measure::Nanoseconds), "1.00 µs") << "what dividing lost";
    EXPECT_EQ(axisMark(12.5, 0.5, Measure::Cycles), "12.5 cycles");
    EXPECT_EQ(axisMark(0.25, 0.05, Measure::None), "0.25");
}

TEST(Quantities, BytesHaveThreeToFourDigits) {
    EXPECT_EQ(readableBytes(0), "0 B");
    EXPECT_EQ(readableBytes(1023), "1023 B");
    EXPECT_EQ(readableBytes(1024), "1.00 KiB");
    EXPECT_EQ(readableBytes(20'000), "19.5 KiB");
    EXPECT_EQ(readableBytes(14'000'000), "13.4 MiB");
    EXPECT_EQ(readableBytes(1023 * 1024), "1023 KiB");
    EXPECT_EQ(readableBytes(std::uint64_t{3} << 40U), "3.00 TiB");
}

TEST(Quantities, SharesHaveOneForm) {
    EXPECT_EQ(readablePercent(0.4658), "46.6 %");
    EXPECT_EQ(readablePercent(1), "100.0 %");
}

TEST(Quantities, LargeChangesAreTimes) {
    EXPECT_EQ(readableChange(1.031), "+3.1 %");
    EXPECT_EQ(readableChange(0.5), "-50.0 %");
    EXPECT_EQ(readableChange(9.99), "+899.0 %");
    EXPECT_EQ(readableChange(12.34), "12.3 times");
    EXPECT_EQ(readableChange(6705.858), "6,706 times");
    EXPECT_EQ(readableChange(1234567), "1,234,567 times");
    EXPECT_EQ(readable(3.1, Measure::Change), "+3.1 %");
    EXPECT_EQ(readable(-50, Measure::Change), "-50.0 %");
    EXPECT_EQ(readable(1134, Measure::Change), "12.3 times");
}

TEST(Quantities, NonFiniteValuesHaveNoUnit) {
    EXPECT_EQ(readable(INFINITY, Measure::Bytes), "inf");
    EXPECT_EQ(readable(-INFINITY, Measure::Nanoseconds), "-inf");
    EXPECT_EQ(readable(NAN, Measure::Percent), "nan");
}

TEST(Quantities, AColumnLinesUpPointsAndUnits) {
    const std::array<std::optional<double>, 4> times{1'234.0, 322'140.0, std::nullopt, 12.0};
    EXPECT_THAT(alignedQuantities(times, Measure::Nanoseconds),
                ElementsAre("1.234 µs", "322.1   µs", "", "12     ns"));
    const std::array<std::optional<double>, 2> sizes{512.0, 20'000.0};
    EXPECT_THAT(alignedQuantities(sizes, Measure::Bytes), ElementsAre("512   B  ", "19.5 KiB"));
}

TEST(Quantities, TerminalsInAsciiGetUs) {
    EXPECT_EQ(withAsciiUnits("1.2 µs, 3.4 µs of µ"), "1.2 us, 3.4 us of µ");
}

Table measured() {
    return {
        .columns = {{.id = "op", .header = "op"},
                    {.id = "p50", .header = "p50 (ms)", .numeric = true, .measure = Measure::Milliseconds}},
        .rows = {{std::string("relu"), 0.015}, {std::string("conv"), 1.25}, {std::string("none"), Cell()}},
        .indexed = false,
        .heat = {}};
}

TEST(Quantities, TextTablesAdaptUnitsAndOthersDoNot) {
    EXPECT_EQ(render(measured(), Format::Table, {.width = 18, .adaptUnits = true}),
              "op          p50\n"
              "───────────────\n"
              "relu  15.00  µs\n"
              "conv   1.250 ms\n"
              "none\n");
    EXPECT_EQ(render(measured(), Format::Markdown, {.adaptUnits = true}),
              "| op | p50 |\n|---|---:|\n| relu | 15.00 µs |\n| conv | 1.250 ms |\n| none |  |\n");
    EXPECT_THAT(render(measured(), Format::Table), HasSubstr("p50 (ms)"));
    EXPECT_EQ(render(measured(), Format::Csv, {.adaptUnits = true}),
              "op,p50 (ms)\nrelu,0.015\nconv,1.25\nnone,\n");
    EXPECT_THAT(render(measured(), Format::Json, {.adaptUnits = true}), HasSubstr("\"p50\": 0.015"));
}

}  // namespace
}  // namespace et::inspector::format
