/**
 * The published jars, as projects of others use them: build tools, languages, an OSGi framework.
 */
package io.jvmtools.consumers;
