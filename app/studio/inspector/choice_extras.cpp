#include "app/studio/inspector/choice_extras.h"

#include "app/studio/path_mappings.h"
#include "app/studio/python_source.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/verify/small_picture.h"
#include "visualizers/verify/tensor_values.h"

#include <QSize>

#include <algorithm>
#include <utility>

namespace et::studio {

namespace {

constexpr QSize pictureSize{128, 64};
constexpr std::size_t mostPictures = 4;  // per selection
constexpr std::size_t mostKept = 256;    // pictures
constexpr std::uint64_t largestTensor = std::uint64_t{16} << 20;
constexpr std::int64_t neighbours = 2;  // lines shown before and after

QImage pictureIn(const inspector::TensorCatalog& catalog, std::size_t tensor) {
    if (catalog.tensors()[tensor].bytes > largestTensor) {
        return {};
    }
    const auto values =
        catalog.read(tensor, inspector::TensorForm::Real).and_then([](const inspector::HostTensor& read) {
            return visualizers::valuesOf(read);
        });
    return values ? visualizers::smallPicture(*values, pictureSize) : QImage();
}

}  // namespace

ChoiceExtras::ChoiceExtras(const QSettings& settings, QObject* parent)
    : QObject(parent), store(settings), reading(this) {
}

void ChoiceExtras::setSession(std::shared_ptr<const inspector::Session> session) {
    reading.forget();
    known = {};
    catalog = nullptr;
    opened = std::move(session);
}

void ChoiceExtras::setCatalog(std::shared_ptr<const inspector::TensorCatalog> tensors) {
    catalog = std::move(tensors);
}

ChoiceExtras::Wanted ChoiceExtras::missing(const Wanted& wanted) const {
    Wanted out;
    for (std::size_t i = 0; catalog != nullptr && i < std::min(wanted.tensors.size(), mostPictures); ++i) {
        if (!known.pictures.contains(wanted.tensors[i])) {
            out.tensors.push_back(wanted.tensors[i]);
        }
    }
    std::ranges::copy_if(wanted.files, std::back_inserter(out.files),
                         [this](const std::string& file) { return !known.files.contains(file); });
    return out;
}

void ChoiceExtras::want(const Wanted& wanted) {
    reading.forget();
    Wanted rest = missing(wanted);
    if (opened == nullptr || (rest.tensors.empty() && rest.files.empty())) {
        return;
    }
    reading.start(
        [rest, tensors = catalog, mappings = storedMappings(store), folders = sourceFolders(opened->files)] {
            Read read;
            for (const std::size_t tensor : rest.tensors) {
                read.pictures[tensor] = pictureIn(*tensors, tensor);
            }
            for (const std::string& file : rest.files) {
                const std::string text = readPython(file, mappings, folders).text;
                read.files[file] =
                    text.empty() ? QStringList() : visualizers::toQStringLines(text).split(u'\n');
            }
            return read;
        },
        [this](const Read& read) { take(read); });
}

void ChoiceExtras::take(const Read& read) {
    if (known.pictures.size() > mostKept) {
        known.pictures.clear();
    }
    known.pictures.insert(read.pictures.begin(), read.pictures.end());
    known.files.insert(read.files.begin(), read.files.end());
    emit arrived();
}

QImage ChoiceExtras::pictureOf(std::size_t tensor) const {
    const auto found = known.pictures.find(tensor);
    return found == known.pictures.end() ? QImage() : found->second;
}

QString ChoiceExtras::linesAround(const std::string& file, std::int64_t line) const {
    const auto found = known.files.find(file);
    if (found == known.files.end() || line < 1 || line > found->second.size()) {
        return {};
    }
    const std::int64_t last = std::min<std::int64_t>(line + neighbours, found->second.size());
    const auto digits = static_cast<int>(QString::number(last).size());
    QStringList lines;
    for (std::int64_t at = std::max<std::int64_t>(line - neighbours, 1); at <= last; ++at) {
        lines.append(QStringLiteral("%1%2  %3")
                         .arg(at == line ? QStringLiteral("▸") : QStringLiteral(" "))
                         .arg(at, digits)
                         .arg(found->second[at - 1].trimmed().isEmpty() ? QString() : found->second[at - 1]));
    }
    return lines.join(u'\n');
}

}  // namespace et::studio
