#include "tests/inspector/profiles/profile_samples.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace et::inspector {
namespace {

using ::testing::HasSubstr;

TEST(VendorProfile, NamesWhatIsWrong) {
    const std::string qnn =
        "Msg Timestamp,Message,Time,Unit of Measurement,Timing Source,Event Level,Event Identifier\n";
    const std::pair<std::string, std::string> cases[] = {
        {"a,b\n1,2\n", "expected a profile of a vendor's tool"},
        {qnn, "contains no operators"},
        {qnn + "0,NODE,x,US,BACKEND,SUB-EVENT,conv\n",
         "line 2, Time: expected a number that is not negative, got \"x\""},
        {qnn + "0,NODE,-1,US,BACKEND,SUB-EVENT,conv\n", "got \"-1\""},
        {qnn + "0,NODE,nan,US,BACKEND,SUB-EVENT,conv\n", "got \"nan\""},
        {qnn + "0,NODE,1,COUNT,BACKEND,SUB-EVENT,conv\n", "expected US or CYCLES"},
        {qnn + "0,NODE,1,US,BACKEND,SUB-EVENT,\"conv\n", "line 2: expected a closing quote"},
        {"% Self,Function Name\n101,f\n", "line 2, % Self: expected a percentage from 0 to 100, got \"101\""},
        {R"([{"count": 1}, {"averageMs": 1}])", "$[1]"},
        {R"([{"count": 1}, {"name": "a", "averageMs": -1}])", "expected a time that is not negative"},
        {R"({"Layers": [1]})", "Layers[0]"},
        {R"({"Layers": [)", "profile"},
    };
    for (const auto& [text, message] : cases) {
        SCOPED_TRACE(text);
        const auto profile = test::readProfileText(text);
        ASSERT_FALSE(profile);
        EXPECT_THAT(profile.error().toString(), HasSubstr(message));
        EXPECT_THAT(profile.error().toString(), HasSubstr("profile"));
        EXPECT_FALSE(profile.error().toString().contains('\n'));
    }
}

TEST(VendorProfile, LimitsCellsAndOperators) {
    std::string wide = "Message,Unit of Measurement,Event Identifier,Time\n";
    wide += std::string(1000, ',');
    auto profile = test::readProfileText(wide);
    ASSERT_FALSE(profile);
    EXPECT_EQ(profile.error().code, core::ErrorCode::Limit);

    std::string many = R"([{"count": 1})";
    for (std::size_t i = 0; i <= maxProfiledOperators; ++i) {
        many += R"(,{"name":"a","averageMs":1})";
    }
    profile = test::readProfileText(many + "]");
    ASSERT_FALSE(profile);
    EXPECT_EQ(profile.error().code, core::ErrorCode::Limit);
}

TEST(VendorProfile, DetectsOnlyProfiles) {
    for (const std::string_view text : {test::qnnCsv, test::tensorRtTimes, test::tensorRtLayers,
                                        test::velaCsv, test::computePlan, test::streamlineCsv}) {
        EXPECT_TRUE(isVendorProfile(std::as_bytes(std::span(text)))) << text;
    }
    for (const std::string_view text :
         {"", "a,b,c\n", "{}", "[]", "[1, 2]", "\"", "{\"schema\": 1, \"Layers\": []}", "\xEF\xBB\xBF"}) {
        EXPECT_FALSE(isVendorProfile(std::as_bytes(std::span(text)))) << text;
    }
}

}  // namespace
}  // namespace et::inspector
