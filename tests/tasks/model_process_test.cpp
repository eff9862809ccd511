// Tests of failing model processes: an error is reported, and nothing of them remains.
#include "app/tasks/compare/model_process.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <iterator>

namespace et::tasks {
namespace {

std::ptrdiff_t openDescriptors() {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
}

TEST(ModelProcess, ReportsUnreadableModel) {
    std::signal(SIGPIPE, SIG_IGN);
    const auto before = openDescriptors();
    {
        auto model = ModelProcess::start({.model = "/nowhere/model.pte", .options = {}, .inputs = {}});
        ASSERT_TRUE(model) << model.error().toString();
        const auto loaded = model->load();
        ASSERT_FALSE(loaded);
        EXPECT_EQ(loaded.error().code, core::ErrorCode::Io);
        EXPECT_EQ(loaded.error().where.file, "/nowhere/model.pte");
    }
    EXPECT_EQ(openDescriptors(), before);
}

TEST(ModelProcess, LeaksNoDescriptorsWhenTheyRunOut) {
    const auto before = openDescriptors();
    rlimit usual{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &usual), 0);
    const int next = ::dup(STDIN_FILENO);
    ::close(next);
    const rlimit forOnePipe{.rlim_cur = static_cast<rlim_t>(next) + 2, .rlim_max = usual.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &forOnePipe), 0);
    const bool started = ModelProcess::start({.model = "model.pte", .options = {}, .inputs = {}}).has_value();
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &usual), 0);
    EXPECT_FALSE(started);
    EXPECT_EQ(openDescriptors(), before);
}

}  // namespace
}  // namespace et::tasks
