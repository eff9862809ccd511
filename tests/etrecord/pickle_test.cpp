#include "etrecord/pickle.h"

#include "tests/etrecord/pickle_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace et::etrecord {
namespace {

using core::ErrorCode;
using test::PickleBuilder;
using testing::HasSubstr;

constexpr std::array allowed{PickleCallable{"collections", "OrderedDict"}};

core::Result<Pickle> parsePickle(std::string_view pickle, PickleLimits limits = {}) {
    return Pickle::parse(std::as_bytes(std::span(pickle)), "data.pkl", allowed, limits);
}

std::string pickleError(std::string_view pickle, PickleLimits limits = {}) {
    const auto parsed = parsePickle(pickle, limits);
    return parsed ? "" : parsed.error().toString();
}

/// Returns the root of a pickle that is a single value of type T.
template <class T>
T rootOf(const std::string& pickle) {
    const auto parsed = parsePickle(pickle);
    EXPECT_TRUE(parsed) << parsed.error().toString();
    const T* value = parsed ? parsed->get<T>(parsed->root) : nullptr;
    EXPECT_NE(value, nullptr);
    return value == nullptr ? T{} : *value;
}

TEST(Pickle, ReadsPlainValues) {
    EXPECT_EQ(rootOf<std::int64_t>(PickleBuilder().raw("K\xFF").stop()), 255);
    EXPECT_EQ(rootOf<std::int64_t>(PickleBuilder().raw("M\x01\x02").stop()), 0x0201);
    EXPECT_EQ(rootOf<std::int64_t>(PickleBuilder().integer(-5).stop()), -5);
    EXPECT_EQ(rootOf<std::int64_t>(PickleBuilder().long8(INT64_MIN).stop()), INT64_MIN);
    EXPECT_EQ(rootOf<std::int64_t>(PickleBuilder().raw("\x8a\x01\xFE").stop()), -2);
    EXPECT_EQ(rootOf<std::int64_t>(PickleBuilder().raw(std::string_view("\x8a\x00", 2)).stop()), 0);
    EXPECT_EQ(rootOf<double>(PickleBuilder().raw(std::string_view("G\x3F\xE0\0\0\0\0\0\0", 9)).stop()), 0.5);
    EXPECT_TRUE(rootOf<bool>(PickleBuilder().raw("\x88").stop()));
    rootOf<std::monostate>(PickleBuilder().raw("N").stop());
    const std::string pickle = PickleBuilder().text("conv.weight").stop();
    const auto parsed = parsePickle(pickle);
    ASSERT_TRUE(parsed);
    const auto* text = parsed->get<std::string_view>(parsed->root);
    ASSERT_NE(text, nullptr);
    EXPECT_EQ(*text, "conv.weight");
}

TEST(Pickle, ReadsContainersAndMemo) {
    // {"a": [1, (2, 2)]}, the 2 is shared through the memo
    const std::string pickle = PickleBuilder()
                                   .raw("}")
                                   .text("a")
                                   .raw("](")
                                   .integer(1)
                                   .integer(2)
                                   .put(7)
                                   .get(7)
                                   .raw("\x86")
                                   .raw("es")
                                   .stop();
    const auto parsed = parsePickle(pickle);
    ASSERT_TRUE(parsed) << parsed.error().toString();
    const auto* dict = parsed->get<PickleDict>(parsed->root);
    ASSERT_NE(dict, nullptr);
    ASSERT_EQ(dict->items.size(), 1U);
    const auto* list = parsed->get<PickleList>(dict->items[0].second);
    ASSERT_NE(list, nullptr);
    ASSERT_EQ(list->items.size(), 2U);
    const auto* tuple = parsed->get<PickleTuple>(list->items[1]);
    ASSERT_NE(tuple, nullptr);
    EXPECT_EQ(tuple->items[0], tuple->items[1]);
}

TEST(Pickle, KeepsCallsAsData) {
    const std::string pickle = PickleBuilder()
                                   .global("collections", "OrderedDict")
                                   .raw(")R(")
                                   .text("k")
                                   .integer(1)
                                   .raw("u}b")
                                   .stop();
    const auto parsed = parsePickle(pickle);
    ASSERT_TRUE(parsed) << parsed.error().toString();
    const auto* call = parsed->get<PickleCall>(parsed->root);
    ASSERT_NE(call, nullptr);
    const auto* callable = parsed->get<PickleGlobal>(call->callable);
    ASSERT_NE(callable, nullptr);
    EXPECT_EQ(callable->name, "OrderedDict");
    EXPECT_EQ(call->members.size(), 1U);
    EXPECT_TRUE(call->state);
}

TEST(Pickle, RejectsUnknownCallables) {
    EXPECT_EQ(
        pickleError(PickleBuilder().global("posix", "system").raw("(").text("touch /tmp/x").raw("tR").stop()),
        "data.pkl: pickle, byte 35: refused to call \"posix.system\"");
    EXPECT_THAT(pickleError(PickleBuilder().global("subprocess", "Popen").raw(")\x81").stop()),
                HasSubstr("refused to call \"subprocess.Popen\""));
    EXPECT_THAT(pickleError(PickleBuilder().text("os").text("system").raw("\x93)R").stop()),
                HasSubstr("refused to call \"os.system\""));
    EXPECT_THAT(pickleError(PickleBuilder().global("os", "system").raw(")}\x92").stop()),
                HasSubstr("refused to call \"os.system\""));
    // INST and the other opcodes of the text protocols also call or build objects.
    EXPECT_THAT(pickleError(PickleBuilder().raw("(ios\nsystem\n").stop()),
                HasSubstr("opcode 0x69 does not belong to the binary protocols"));
}

TEST(Pickle, NeverReadsBeyondItsText) {
    for (const char* pickle : {"", "X", "X\xFF\xFF\xFF\x7F", "\x8a", "\x8a\x09", "cmodule", "cmodule\nname",
                               "\x8e\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", "G\x01", "q", "h", "\x80"}) {
        const auto parsed = parsePickle(pickle);
        ASSERT_FALSE(parsed) << pickle;
        EXPECT_EQ(parsed.error().code, ErrorCode::Format) << pickle;
        EXPECT_THAT(parsed.error().toString(), HasSubstr("data.pkl: pickle, byte 0: "));
    }
}

TEST(Pickle, NeverPopsAnEmptyStack) {
    for (const char* opcodes :
         {".",   "0",   "1",     "2",   "\x85", "\x87", "t",    "l",     "d",    "a",
          "e",   "s",   "u",     "R",   "b",    "Q",    "\x93", "q\x01", "\x94", "(\x85",
          "N(s", "](e", "h\x01", "NNa", "NNb",  "NNNs", "NNR",  "(NNNt", "}(Nu", "}(NNNu"}) {
        const auto parsed = parsePickle(PickleBuilder().raw(opcodes).raw("N").stop());
        if (!parsed) {
            EXPECT_EQ(parsed.error().code, ErrorCode::Format) << opcodes;
        }
    }
    EXPECT_THAT(pickleError(PickleBuilder().raw("a").stop()), HasSubstr("stack underflow"));
    // Values below an open mark cannot be popped.
    EXPECT_THAT(pickleError(PickleBuilder().raw("N(\x85").stop()), HasSubstr("stack underflow"));
    EXPECT_THAT(pickleError(PickleBuilder().raw("NNa").stop()),
                HasSubstr("append to a value that is not a list"));
    EXPECT_THAT(pickleError(PickleBuilder().raw("}(Nu").stop()), HasSubstr("expected key-value pairs"));
}

TEST(Pickle, LimitsBuiltObjects) {
    EXPECT_EQ(pickleError(PickleBuilder().raw(std::string(200'000, '(')).stop()),
              "data.pkl: pickle, byte 1002: more than 1000 open marks");
    EXPECT_THAT(pickleError(PickleBuilder().raw(std::string(100, ']')).stop(), {.values = 50}),
                HasSubstr("more than 50 values"));
    EXPECT_THAT(pickleError(PickleBuilder().raw("N" + std::string(10, '\x94')).stop(), {.values = 5}),
                HasSubstr("more than 5 memoized values"));
    EXPECT_THAT(pickleError(PickleBuilder().raw("N").stop(), {.bytes = 3}),
                HasSubstr("4 bytes exceed the maximum of 3"));
    EXPECT_THAT(pickleError(PickleBuilder()
                                .raw("\x8a\x09"
                                     "123456789")
                                .stop()),
                HasSubstr("an integer of 9 bytes"));
    EXPECT_THAT(pickleError(std::string("\x80\x06N.", 4)),
                HasSubstr("expected a protocol from 2 to 5, got 6"));
}

}  // namespace
}  // namespace et::etrecord
