#pragma once

#include <QByteArray>
#include <QList>
#include <QSplitter>

#include <initializer_list>

namespace et::visualizers {

/// A splitter that saves user-adjusted sizes as fractions of its length, because pixels would not fit a
/// window of another size. Default sizes are not saved.
class Splitter : public QSplitter {
    Q_OBJECT

  public:
    explicit Splitter(QWidget* parent = nullptr);
    Splitter(Qt::Orientation orientation, QWidget* parent);

    struct Part {
        QWidget* widget;
        int stretch;  ///< share of additional space
    };
    void addParts(std::initializer_list<Part> parts);

    /// Empty until the user has moved a handle or a state was restored.
    [[nodiscard]] QByteArray saveState() const;
    /// Applies a state from saveState(), now and whenever the splitter is resized. Anything else is ignored.
    void restoreState(const QByteArray& state);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void applyShares();
    void measureShares();

    QList<double> shares;  ///< one per widget, 0 to 1; empty: Qt's default sizes
};

}  // namespace et::visualizers
