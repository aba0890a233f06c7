/** Environments and their capabilities: natives, handles and who is kept alive. */
@NullMarked
package io.jvmtools.internal.environment;

import org.jspecify.annotations.NullMarked;
