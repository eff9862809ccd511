#include "app/tasks/lab/site_schemes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::tasks {
namespace {

using backends::xnnpack::SchemeKind;

constexpr std::string_view floatName = "float";

bool isStaticScheme(const SiteScheme& scheme) {
    return scheme && scheme->kind == SchemeKind::Static8;
}

}  // namespace

bool SchemeRequest::needsCalibration() const {
    return chosen.empty()
               ? scheme.needsCalibration() || std::ranges::any_of(named, isStaticScheme, &NamedScheme::scheme)
               : std::ranges::any_of(chosen, isStaticScheme);
}

bool SchemeRequest::isStatic() const {
    const auto fits = [](const SiteScheme& each) { return !each || isStaticScheme(each); };
    return chosen.empty() ? fits(scheme) && std::ranges::all_of(named, fits, &NamedScheme::scheme)
                          : std::ranges::all_of(chosen, fits);
}

std::string siteSchemeName(const SiteScheme& scheme) {
    return scheme ? backends::xnnpack::schemeName(*scheme) : std::string(floatName);
}

core::Result<SiteScheme> parseSiteScheme(std::string_view text) {
    if (text == floatName) {
        return SiteScheme();
    }
    return backends::xnnpack::parseScheme(text).transform(
        [](const backends::xnnpack::QuantizationScheme& scheme) { return SiteScheme(scheme); });
}

core::Result<NamedScheme> parseNamedScheme(std::string_view text) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string_view::npos || equals == 0) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          fmt::format("expected NAME=SCHEME, got \"{}\"", core::printable(text)));
    }
    ET_ASSIGN(const SiteScheme scheme, parseSiteScheme(text.substr(equals + 1)));
    return NamedScheme{.name = std::string(text.substr(0, equals)), .scheme = scheme};
}

}  // namespace et::tasks
