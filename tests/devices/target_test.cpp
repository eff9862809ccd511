#include "app/devices/target.h"

#include "app/devices/shell.h"
#include "app/devices/target_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace et::devices {
namespace {

TEST(Target, ReadsAddresses) {
    EXPECT_EQ(targetOf("local:")->reach, Reach::Local);
    const auto board = targetOf("ssh://pi@board.local:2222");
    ASSERT_TRUE(board);
    EXPECT_EQ(board->reach, Reach::Ssh);
    EXPECT_EQ(board->host, "pi@board.local");
    EXPECT_EQ(board->port, 2222);
    EXPECT_EQ(targetOf("ssh://me@[::1]:22")->host, "me@::1");
    EXPECT_EQ(targetOf("adb:R58M12ABCDE")->host, "R58M12ABCDE");
    EXPECT_EQ(targetOf("adb:127.0.0.1:5555")->host, "127.0.0.1:5555");
}

TEST(Target, RejectsLeadingDashesAndSpaces) {
    for (const char* const text :
         {"", "ssh://", "ssh://-oProxyCommand=x", "ssh://me@-oProxyCommand=x", "ssh://me@h;reboot",
          "ssh://me@h:0", "ssh://me@h:99999", "ssh://me@h:22x", "ssh://a b", "adb:", "adb:-H", "adb:x y",
          "adb:$(id)", "ftp://x", "local", "ssh://me@h\n"}) {
        EXPECT_FALSE(targetOf(text)) << text;
    }
}

TEST(Target, QuotesShellWords) {
    EXPECT_EQ(shellWord("a b"), "'a b'");
    EXPECT_EQ(shellWord("it's $(id)"), "'it'\\''s $(id)'");
}

TEST(Target, SshNeverPromptsAndChecksTheHostKey) {
    const auto argv = shellArguments(*targetOf("ssh://me@host:2222"), "uname");
    EXPECT_TRUE(std::ranges::contains(argv, "BatchMode=yes"));
    EXPECT_TRUE(std::ranges::contains(argv, "StrictHostKeyChecking=yes"));
    const auto end = std::ranges::find(argv, "--");
    ASSERT_EQ(std::distance(end, argv.end()), 3) << "host and command stand behind the end of options";
    EXPECT_EQ(*(end + 1), "me@host");
}

class TargetFile : public testing::Test {
  protected:
    TargetFile()
        : path(std::filesystem::path(testing::TempDir()) / ("targets-" + std::to_string(::getpid())) /
               "targets.toml") {}
    ~TargetFile() override { std::filesystem::remove_all(path.parent_path()); }

    std::filesystem::path path;
};

TEST_F(TargetFile, RoundTrips) {
    Target board = *targetOf("command:");
    board.name = "board";
    board.commands = {
        .push = "cp {from} {to}", .run = "it's \"quoted\" \\ {model}", .pull = "cp {from} {to}"};
    Target phone = *targetOf("adb:ABC");
    phone.name = "phone";
    phone.folder = "/data/local/tmp/x y";
    ASSERT_TRUE(changeTargets(path, [&](std::vector<Target>& all) -> core::Result<> {
        EXPECT_TRUE(all.empty());
        all = {board, phone};
        return {};
    }));
    const auto read = readTargets(path);
    ASSERT_TRUE(read) << read.error().toString();
    EXPECT_EQ(*read, (std::vector<Target>{board, phone}));
    const auto kept = std::filesystem::last_write_time(path);
    ASSERT_FALSE(changeTargets(path, [](std::vector<Target>&) -> core::Result<> {
        return core::fail(core::ErrorCode::NotFound, "none");
    }));
    EXPECT_EQ(std::filesystem::last_write_time(path), kept) << "a change that fails changes nothing";
}

TEST_F(TargetFile, ErrorNamesTheLine) {
    const auto errorOf = [](std::string_view text) {
        const auto read = parseTargets(text, "t.toml");
        return read ? std::string("read") : read.error().toString();
    };
    EXPECT_NE(errorOf("[a\n").find("t.toml: line 1"), std::string::npos) << errorOf("[a\n");
    EXPECT_EQ(errorOf("[a]\naddress = 3\n"), "t.toml: a.address: expected a string");
    EXPECT_EQ(errorOf("[a]\n"), "t.toml: a.address: expected a string");
    EXPECT_EQ(errorOf("[a]\naddress = \"local:\"\nagnet = \"x\"\n"),
              "t.toml: a.agnet: unknown key for a target");
    EXPECT_EQ(errorOf("[a]\naddress = \"local:\"\nfolder = 3\n"), "t.toml: a.folder: expected a string");
    EXPECT_EQ(errorOf("[a]\naddress = \"command:\"\n"), "t.toml: a.run: expected a command");
    EXPECT_NE(errorOf("[a]\naddress = \"ssh://-x\"\n").find("a.address: expected local:"), std::string::npos);
    EXPECT_NE(errorOf("a = 1\n").find("expected a table for the target"), std::string::npos);
}

}  // namespace
}  // namespace et::devices
