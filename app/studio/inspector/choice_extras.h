#pragma once

#include "app/studio/background.h"
#include "inspector/catalog/tensor_catalog.h"
#include "inspector/session/session.h"

#include <QImage>
#include <QObject>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

class QSettings;

namespace et::studio {

/// What the inspector shows of files that have to be read first: small pictures of tensors, and the Python
/// around a line. Everything is read once, on a thread; arrived() says that there is more to show.
class ChoiceExtras : public QObject {
    Q_OBJECT

  public:
    /// What is chosen has these.
    struct Wanted {
        std::vector<std::size_t> tensors{};  ///< of the catalog; the first few are read
        std::vector<std::string> files{};  ///< Python files as they were called where the model was exported
    };

    /// `settings` knows where files are, and outlives this.
    ChoiceExtras(const QSettings& settings, QObject* parent);

    /// Forgets what was read of another session. Null: none is open.
    void setSession(std::shared_ptr<const inspector::Session> session);
    void setCatalog(std::shared_ptr<const inspector::TensorCatalog> tensors);
    /// Reads what is not there yet.
    void want(const Wanted& wanted);
    [[nodiscard]] bool busy() const { return reading.running(); }

    /// Null: not read (yet), or no picture can be made of it.
    [[nodiscard]] QImage pictureOf(std::size_t tensor) const;
    /// The line with those before and after it, as `number  text`, an arrow before the line itself. Empty:
    /// the file is not here, or has no such line.
    [[nodiscard]] QString linesAround(const std::string& file, std::int64_t line) const;

  signals:
    void arrived();

  private:
    struct Read {
        std::map<std::size_t, QImage> pictures;
        std::map<std::string, QStringList> files;
    };
    [[nodiscard]] Wanted missing(const Wanted& wanted) const;
    void take(const Read& read);

    const QSettings& store;
    Background<Read> reading;
    std::shared_ptr<const inspector::Session> opened;
    std::shared_ptr<const inspector::TensorCatalog> catalog;
    Read known;
};

}  // namespace et::studio
